"""A SLURM of one node on this machine, for tests: its daemons run during a block, with all files in one folder."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from cluster.listening import free_ports

DAEMONS = ("munged", "slurmctld", "slurmd")
CORES = 4
"""The cores that the node claims to have: the jobs of tests mostly wait."""
SBIN = "/usr/sbin:/sbin"
CONFIGURATION = """
ClusterName=tests
SlurmctldHost={host}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CredType=cred/munge
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/controller
SlurmdSpoolDir={folder}/node
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=300
KillWait=10
MinJobAge=300
SchedulerParameters=sched_interval=2,requeue_delay=1,bf_interval=2
SlurmdParameters=config_overrides
NodeName={host} CPUs={cores} State=UNKNOWN
PartitionName=tests Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
"""


def missing() -> str:
    """Return why no SLURM can be started here, or an empty string if one can."""
    if os.name != "posix" or os.geteuid() != 0:
        return "SLURM's daemons need root"
    absent = [name for name in (*DAEMONS, "sbatch") if program(name) is None]
    return f"{', '.join(absent)} not installed (apt-get install slurm-wlm munge)" if absent else ""


def program(name: str) -> str | None:
    """Return the path of a program, also of one that only root has on the path."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:{SBIN}")


@dataclass
class Slurm:
    """The daemons of a SLURM, by name, and the folder of their files."""

    folder: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def variables(self) -> dict[str, str]:
        """The variable with which SLURM's commands find this SLURM."""
        return {"SLURM_CONF": str(self.folder / "slurm.conf")}

    @property
    def environment(self) -> dict[str, str]:
        """The environment of SLURM's commands."""
        return {**os.environ, **self.variables}

    def start(self, name: str, *options: str, user: str | None = None) -> None:
        """Start a daemon in the foreground, as a child of this process."""
        path = program(name)
        assert path is not None
        with (self.folder / f"{name}.out").open("ab") as output:
            self.processes[name] = subprocess.Popen(
                [path, *options], env=self.environment, stdout=output, stderr=output, user=user, start_new_session=True
            )

    def start_node(self) -> None:
        """Start the daemon of the node."""
        self.start("slurmd", "-D")

    def stop(self, name: str, number: int = signal.SIGTERM) -> None:
        """End a daemon with a signal and wait for it."""
        if (process := self.processes.pop(name, None)) is not None:
            process.send_signal(number)
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            if process.poll() is None:
                process.kill()
                process.wait()

    def run(self, *command: str) -> str:
        """Return the output of one of SLURM's commands."""
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=True, timeout=30
        ).stdout.strip()

    def queue(self) -> list[str]:
        """Return the ids of the jobs that wait or run, an element of an array as 7_2."""
        return self.run("squeue", "-h", "-r", "-o", "%i").split()

    def wait_until(self, condition, seconds: float = 30.0) -> None:
        """Wait until a function returns something true; raise AssertionError if it never does."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            with suppress(subprocess.SubprocessError):
                if condition():
                    return
            time.sleep(0.2)
        logs = "\n".join(path.read_text()[-2000:] for path in (*self.folder.glob("*.log"), *self.folder.glob("*.out")))
        raise AssertionError(f"not after {seconds:g} s\n{logs}")


@contextmanager
def running_slurm() -> Iterator[Slurm]:
    """Start a SLURM of one node, and stop it when the block ends.

    Its folder is one that other users may enter, because munge's daemon runs as a user of its own.
    """
    folder = Path(tempfile.mkdtemp(prefix="attest-slurm-"))
    folder.chmod(0o755)
    host = socket.gethostname().partition(".")[0]
    for name in ("controller", "node", "munge"):
        (folder / name).mkdir(parents=True)
    (folder / "slurm.conf").write_text(
        CONFIGURATION.format(folder=folder, host=host, cores=CORES, ports=free_ports(2)), encoding="utf-8"
    )
    key = folder / "munge/key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    for path in (folder / "munge", key):
        shutil.chown(path, "munge", "munge")
    slurm = Slurm(folder)
    places = [
        f"--{name}={folder}/munge/{name.partition('-')[0]}"
        for name in ("socket", "pid-file", "log-file", "key-file", "seed-file")
    ]
    try:
        slurm.start("munged", "--foreground", "--force", *places, user="munge")
        slurm.wait_until((folder / "munge/socket").exists)
        slurm.start("slurmctld", "-D", "-c")
        slurm.start_node()
        slurm.wait_until(lambda: "idle" in slurm.run("sinfo", "-h", "-o", "%T"))
        yield slurm
    finally:
        with suppress(subprocess.SubprocessError):
            slurm.run("scancel", "--user=root")
            slurm.wait_until(lambda: not slurm.queue(), 20)
        for name in reversed(list(slurm.processes)):
            slurm.stop(name)
        if "KEEP_SLURM" not in os.environ:
            shutil.rmtree(folder, ignore_errors=True)
