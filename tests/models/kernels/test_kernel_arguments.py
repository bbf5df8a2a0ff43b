"""What kernels are given: tensors of another type, shape, order or device than declared are refused.

Before kernels checked their arguments, most of these calls read and wrote beyond arrays, and some ended in SIGSEGV.
"""

import re

import pytest
import torch
from marks import needs_kernels

from attest.models.kernels import attention, dropout, elu, gate, gru, lstm
from attest.models.kernels.declaration import FIXED_TYPES
from attest.models.kernels.kernel import Kernel
from attest.models.kernels.library import SOURCES
from attest.models.matchers import pairs
from attest.training.optim import adadelta

SIZES = {"B": 2, "N": 7, "D": 5, "S": 3, "H": 4, "I": 3, "J": 2, "V": 11, "E": 5, "R": 3}
PLACES = {"first": torch.tensor([0, 4]), "length": torch.tensor([4, 3])}
MODULES = (attention, dropout, elu, gate, gru, lstm, pairs, adadelta)
KERNELS = {kernel.name: kernel for module in MODULES for kernel in vars(module).values() if isinstance(kernel, Kernel)}

pytestmark = needs_kernels


def declared(parameter, kind=torch.float32):
    """An argument as the declaration has it; matrices are of the given type."""
    if not parameter.shape:
        return {"bool": False, "int": 1, "float": 0.5}[parameter.type]
    if parameter.type == "int64" and parameter.name in PLACES:
        return PLACES[parameter.name]
    shape = (7, 5) if parameter.shape == "(*)" else [factor * SIZES[letter] for factor, letter, _ in parameter.sizes]
    return torch.ones(shape, dtype=FIXED_TYPES.get(parameter.type, kind))


def arguments(kernel, kind=torch.float32):
    return {parameter.name: declared(parameter, kind) for parameter in kernel.parameters if parameter.type}


def freed(x):
    x = x.clone()
    x.untyped_storage().resize_(0)
    return x


WRONG = {
    "fp16": lambda x: x.half(),
    "fp64": lambda x: x.double(),
    "int16": lambda x: x.to(torch.int16),
    "complex": lambda x: x.to(torch.complex64),
    "narrow": lambda x: x[..., :-1].contiguous(),
    "short": lambda x: x[1:].contiguous(),
    "empty": lambda x: x[:0],
    "further dimension": lambda x: x[None],
    "number": lambda x: x.flatten()[0].clone(),
    "strided": lambda x: torch.stack([x, x], dim=-1)[..., 0],
    "meta": lambda x: x.to("meta"),
    "sparse": lambda x: x.to_sparse(),
    "freed": freed,
    "none": lambda x: None,
    "list": lambda x: x.tolist(),
}


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16], ids=str)
def test_arguments_as_declared_are_taken(kind):
    for kernel in KERNELS.values():
        kernel(*arguments(kernel, kind).values())


def refusal(kernel, given):
    """The sentence by which a kernel refuses its arguments, or None if it takes them."""
    try:
        kernel(*given.values())
    except ValueError as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.filterwarnings("ignore:Sparse")
def test_others_are_refused_in_a_sentence(name):
    kernel = KERNELS[name]
    for parameter in kernel.parameters:
        for wrong, change in WRONG.items() if parameter.shape else ():
            given = arguments(kernel)
            given[parameter.name] = x = change(given[parameter.name])
            sentence = refusal(kernel, given)
            any_shape = parameter.shape == "(*)" and wrong == "further dimension"
            if any_shape or (x is None and parameter.optional):
                assert sentence is None
            else:
                assert re.fullmatch(rf"{name}: \w+ is .*; use .*, contiguous, on the CPU", sentence or ""), wrong


def test_the_sentence_names_what_was_given_and_what_is_wanted():
    given = arguments(KERNELS["lstm_forward"], torch.bfloat16)
    given["product"] = torch.ones(3, 15, dtype=torch.bfloat16)
    with pytest.raises(ValueError, match="lstm_forward") as error:
        KERNELS["lstm_forward"](*given.values())
    assert str(error.value) == (
        "lstm_forward: product is bfloat16 (3, 15) on cpu; use bfloat16 (S+, 4H) with S = 3, H = 4, contiguous, "
        "on the CPU"
    )
    with pytest.raises(ValueError, match=r"x is float32 \(7, 5\) on cpu without memory; use float32"):
        KERNELS["dropout"](freed(torch.ones(7, 5)), 1, 1, 1.0, torch.ones(7, 5))
    with pytest.raises(ValueError, match="dropout: 1 arguments were given; give 5"):
        KERNELS["dropout"](torch.ones(3))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"first": [0, 5]}, "`first` and `length`"),
        ({"first": [1, 4]}, "`first` and `length`"),
        ({"first": [0, -4]}, "`first` and `length`"),
        ({"first": [0, 2**62]}, "`first` and `length`"),
        ({"first": [0, -(2**63)]}, "`first` and `length`"),
        ({"length": [4, 4]}, "`first` and `length`"),
        ({"length": [5, 3]}, "`first` and `length`"),
        ({"length": [-1, 3]}, "`first` and `length`"),
        ({"length": [2**62, 2**62]}, "`first` and `length`"),
        ({"end": [4, 4, 4, 5, 3, 3, 3]}, "`start` and `end`"),
        ({"end": [4, 4, 4, 4, 3, 2**31 - 1, 3]}, "`start` and `end`"),
        ({"start": [0, 0, 0, -1, 0, 0, 0]}, "`start` and `end`"),
        ({"rows": [0, 11, 2]}, "`rows` are not rows of the table"),
        ({"rows": [0, -1, 2]}, "`rows` are not rows of the table"),
    ],
    ids=str,
)
def test_numbers_that_lead_beyond_an_array_are_refused(changed, message):
    tried = 0
    for name, kernel in KERNELS.items():
        given = arguments(kernel)
        if not changed.keys() <= {
            parameter.name for parameter in kernel.parameters if parameter.type in ("int64", "int32")
        }:
            continue
        tried += 1
        if "start" in given:
            given["start"], given["end"] = torch.zeros(7).int(), torch.tensor([4, 4, 4, 4, 3, 3, 3]).int()
        given |= {key: torch.tensor(value, dtype=given[key].dtype) for key, value in changed.items()}
        with pytest.raises(ValueError, match=f"^{name}: {re.escape(message)}"):
            kernel(*given.values())
    assert tried


def test_rows_without_a_sentence_are_refused():
    """Their results would stay as the memory was before."""
    given = arguments(KERNELS["source2token_forward"]) | {
        "first": torch.zeros(0).long(),
        "length": torch.zeros(0).long(),
    }
    given |= {name: torch.ones(0, 5) for name in ("pooled", "largest", "inverse")}
    with pytest.raises(ValueError, match="`first` and `length`"):
        KERNELS["source2token_forward"](*given.values())


@pytest.mark.parametrize("name", KERNELS)
def test_the_declaration_is_that_of_the_function_in_c(name):
    """Equal names in an equal order, and the C types that follow from the declared ones."""
    code = "\n".join(text for file, text in SOURCES.items() if file.endswith(".cpp"))
    (found,) = re.findall(rf"^Answer {name}\(([^)]*)\) {{", code, flags=re.MULTILINE)
    in_c = [re.fullmatch(r"(?:const )?(\w+\*?) (\w+)", " ".join(part.split())).groups() for part in found.split(",")]
    pointers = {"float32": "float*", "int64": "int64_t*", "int32": "int32_t*"}
    numbers = {"bool": "bool", "int": "int64_t", "float": "float"}
    *own, threads = in_c
    assert threads == ("int", "threads")
    assert len(own) == len(KERNELS[name].parameters)
    for parameter, (kind, named) in zip(KERNELS[name].parameters, own, strict=True):
        if parameter.type:
            expected = pointers.get(parameter.type, "void*") if parameter.shape else numbers[parameter.type]
            assert (kind, named) == (expected, parameter.name)
        else:
            assert kind == ("bool" if parameter.name in ("T", "U") else "int64_t")


def test_every_function_in_c_has_a_declaration():
    code = "\n".join(text for file, text in SOURCES.items() if file.endswith(".cpp"))
    exported = "".join(re.findall(r'extern "C" {\n(.*?)\n}  // extern "C"', code, flags=re.DOTALL))
    assert set(re.findall(r"^Answer (\w+)\(", exported, flags=re.MULTILINE)) == set(KERNELS)
