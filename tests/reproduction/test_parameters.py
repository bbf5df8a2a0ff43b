from attest.reproduction.pages.terminal.parameters import describe_model, describe_table


def test_counts_beside_the_papers():
    *lines, extra = describe_table("disan/table1").splitlines()[2:]
    numbers = [line.rpartition("   paper ")[0].split()[-1] for line in lines]
    assert numbers == ["451,803", "541,803", "1,982,403", "2,884,803", "2,345,403", "2,345,403"]
    assert [line.rpartition(" ")[2] for line in lines] == ["0.45m", "0.54m", "1.98m", "2.88m", "2.35m", "2.35m"]
    assert extra.split() == ["DiSAN", "with", "Fast-DiSA", "2,704,803"]


def test_every_parameter_with_shape_and_symbol():
    lines = describe_model(["model=disan"]).splitlines()
    assert "encoder.blocks.1.key.weight            300 x 300   90,000   W(1)" in lines
    assert "encoder.pooling.score.weight           600 x 600   360,000  W" in lines
    assert lines[-1] == "2,345,403 parameters without word vectors, at scale=paper"
    assert describe_model(["model=disan", "scale=mini"]).endswith("parameters without word vectors, at scale=mini")
    assert len(lines) == 28 + 2
