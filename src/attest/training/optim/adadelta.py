"""Adadelta (Zeiler 2012), with steps that update only the word vectors of the batch.

Legend: V rows of a table of word vectors, R rows touched in one step, E features.
"""

from collections.abc import Callable, Iterable
from typing import Any, overload

# pyright: reportPrivateImportUsage=false
# The functions _foreach_*, on which torch's own optimisers rest, are not exported.
import torch
from torch import Tensor

from attest.models.arguments import check_choice
from attest.training.optim.adadelta_kernels import STEP, STEP_ROWS, takes_kernel
from attest.training.optim.adadelta_steps import adadelta_steps
from attest.training.optim.parameters import Rows

CONSTANTS = ("lr", "rho", "eps")


class Adadelta(torch.optim.Optimizer):
    """The optimiser Adadelta (Zeiler 2012) with TensorFlow's constants, rho 0.95 and epsilon 1e-8.

    g' = rho g' + (1 - rho) g^2,  step = sqrt((d' + eps) / (g' + eps)) g,  d' = rho d' + (1 - rho) step^2

    `rows` decides what happens to word vectors that a batch does not contain. With `touched`, their two accumulators
    do not change; TensorFlow, which the authors used, does this with sparse gradients. With `dense`, the accumulators
    decay as if they had received a zero gradient. This decay is applied when a word vector next occurs in a batch, as
    rho to the power of the number of steps it missed. So the cost of a step does not depend on the vocabulary.

    On a GPU the gradient of a table is dense, because to count the rows of a sparse one would stop the device at each
    step. With `touched`, the rows whose gradient is not 0 count as those of the batch. Parameters with touched rows
    are in groups with `table` set.
    """

    def __init__(
        self,
        params: Iterable[Any],
        *,
        lr: float = 0.5,
        rho: float = 0.95,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        rows: Rows = "touched",
    ) -> None:
        check_choice("rows", rows, Rows)
        super().__init__(params, {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay})
        self.rows: Rows = rows

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group of parameters; raise ValueError if one of its constants is out of range."""
        lr, rho, eps, weight_decay = ((self.defaults | param_group)[key] for key in (*CONSTANTS, "weight_decay"))
        if not lr > 0 or not 0 <= rho < 1 or not eps > 0 or not weight_decay >= 0:
            raise ValueError(
                "lr, rho, eps, weight_decay: expected lr > 0, 0 <= rho < 1, eps > 0 and weight_decay >= 0, "
                f"got {lr}, {rho}, {eps}, {weight_decay}"
            )
        super().add_param_group(param_group)

    @overload
    def step(self, closure: None = None) -> None: ...
    @overload
    def step(self, closure: Callable[[], float]) -> float: ...
    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """Update all parameters that have a gradient.

        Raise ValueError if a table of word vectors has a weight decay.
        """
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            others, gradients = [], []
            for parameter in group["params"]:
                gradient = parameter.grad
                if gradient is None:
                    continue
                if group["weight_decay"] and (gradient.is_sparse or group.get("table")):
                    raise ValueError("a table of word vectors cannot have a weight decay; set weight_decay=0 for it")
                if gradient.is_sparse:
                    self.step_sparse(parameter, gradient.coalesce(), group)
                elif group.get("table") and self.rows == "touched":
                    self.step_touched_rows(parameter, gradient, group)
                elif takes_kernel(parameter, gradient):
                    self.step_native(parameter, gradient, group)
                else:
                    others.append(parameter)
                    gradients.append(gradient)
            self.step_dense(others, gradients, group)
        return loss

    def state_of(self, parameter: Tensor, eps: float) -> dict[str, Tensor]:
        """Return the accumulators of a parameter, which begin at 0: `square` is g', `delta` is d'.

        Raise ValueError if epsilon is 0 in the type of the parameter, as 1e-8 is in fp16: nothing would be learnt.
        """
        if not self.state[parameter]:
            if not torch.tensor(eps, dtype=parameter.dtype):
                raise ValueError(f"eps is {eps}, which is 0 in {parameter.dtype}; use parameters in fp32 or bf16")
            self.state[parameter] = {name: torch.zeros_like(parameter) for name in ("square", "delta")}
        return self.state[parameter]

    def step_native(self, weight: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        """Update a parameter that has a dense gradient by the C++ kernel."""
        lr, rho, eps, decay = (group[key] for key in (*CONSTANTS, "weight_decay"))
        state = self.state_of(weight, eps)
        STEP(weight, gradient.contiguous(), state["square"], state["delta"], lr, rho, eps, decay)

    def step_dense(self, weights: list[Tensor], gradients: list[Tensor], group: dict[str, Any]) -> None:
        """Update parameters that have dense gradients, each operation of torch for all of them at once."""
        if not weights:
            return
        lr, rho, eps = (group[key] for key in CONSTANTS)
        states = [self.state_of(weight, eps) for weight in weights]
        squares, deltas = ([state[name] for state in states] for name in ("square", "delta"))
        if decay := group["weight_decay"]:
            gradients = list(torch._foreach_add(gradients, weights, alpha=decay))
        torch._foreach_sub_(weights, adadelta_steps(gradients, squares, deltas, rho, eps), alpha=lr)

    def step_touched_rows(self, table_VE: Tensor, gradient_VE: Tensor, group: dict[str, Any]) -> None:
        """Update the rows of a table whose dense gradient is not 0, and no other row."""
        lr, rho, eps = (group[key] for key in CONSTANTS)
        state = self.state_of(table_VE, eps)
        touched_V1 = (gradient_VE != 0).any(1, keepdim=True)
        factor_V1 = 1 - (1 - rho) * touched_V1.to(gradient_VE.dtype)  # rho in the rows of the batch, 1 in all others
        (step_VE,) = adadelta_steps([gradient_VE], [state["square"]], [state["delta"]], rho, eps, factor_V1)
        table_VE.sub_(step_VE, alpha=lr)

    def step_sparse(self, table_VE: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        """Update the R rows of a table that its sparse gradient holds, and no other row."""
        lr, rho, eps = (group[key] for key in CONSTANTS)
        state = self.state_of(table_VE, eps)
        rows_R, gradient_RE = gradient.indices()[0], gradient.values()
        seen_V = count_step(state) if self.rows == "dense" else None
        now = int(state["step"]) if seen_V is not None else 0
        if takes_kernel(table_VE, gradient_RE):
            STEP_ROWS(table_VE, rows_R.contiguous(), gradient_RE.contiguous(), state["square"], state["delta"],
                      seen_V, now, lr, rho, eps)  # fmt: skip
            return
        square_RE, delta_RE = state["square"][rows_R], state["delta"][rows_R]
        if seen_V is not None:
            missed_R1 = now - 1 - seen_V[rows_R, None]  # in bf16 a number above 256 would be rounded
            faded_R1 = rho ** missed_R1.to(torch.promote_types(table_VE.dtype, torch.float32))
            square_RE, delta_RE = (x * faded_R1.to(x.dtype) for x in (square_RE, delta_RE))
            seen_V[rows_R] = now
        (step_RE,) = adadelta_steps([gradient_RE], [square_RE], [delta_RE], rho, eps)
        state["square"][rows_R] = square_RE
        state["delta"][rows_R] = delta_RE
        table_VE.index_add_(0, rows_R, step_RE, alpha=-lr)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        super().load_state_dict(state_dict)
        for group, saved_group in zip(self.param_groups, state_dict["param_groups"], strict=True):
            for parameter, number in zip(group["params"], saved_group["params"], strict=True):
                state = self.state.get(parameter, {})
                if "seen" in state:  # torch has rounded these integers to the parameter's type
                    seen_V = state_dict["state"][number]["seen"]
                    state["seen"] = seen_V.to(parameter.device, torch.int32, copy=True)
                    state["step"] = state["step"].to(torch.int64)
                    if not parameter.is_cpu:
                        catch_up(state, group["rho"])


def count_step(state: dict[str, Tensor]) -> Tensor:
    """Add 1 to the number of steps of a table with this state; return the step (V,) at which each row was last
    updated."""
    if "seen" not in state:
        square_VE = state["square"]
        state["step"] = torch.zeros((), dtype=torch.int64)
        state["seen"] = torch.zeros(len(square_VE), dtype=torch.int32, device=square_VE.device)
    state["step"] += 1
    return state["seen"]


def catch_up(state: dict[str, Tensor], rho: float) -> None:
    """Apply the decay that the rows of a table have missed, and forget when they were last updated.

    A table that moves from the CPU to a GPU gets dense gradients, which leave no row out.
    """
    missed_V = state.pop("step").to(state["seen"].device) - state.pop("seen")
    faded_V1 = (rho ** missed_V.to(torch.promote_types(state["square"].dtype, torch.float32)))[:, None]
    for name in ("square", "delta"):
        state[name].mul_(faded_V1.to(state[name].dtype))
