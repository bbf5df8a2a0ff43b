"""Optimisers as the papers' authors used them, and which weights they decay.

Legend: V rows of a table of word vectors, R rows touched in one step, E features.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal, overload

import torch
from torch import Tensor, nn
from torch.optim.adadelta import adadelta

Rows = Literal["touched", "dense"]


class Adadelta(torch.optim.Optimizer):
    """Adadelta (Zeiler 2012) with TensorFlow's constants, rho 0.95 and epsilon 1e-8.

    g' = rho g' + (1 - rho) g^2,  step = sqrt(d' + eps) / sqrt(g' + eps) g,  d' = rho d' + (1 - rho) step^2

    `rows` says what happens to word vectors that a batch does not contain. touched: nothing at all, their two
    accumulators stay as they are (what TensorFlow's sparse gradients do, and so the authors). dense: their
    accumulators decay as if they had received a zero gradient.
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
        if not lr > 0 or not 0 <= rho < 1 or not eps > 0 or not weight_decay >= 0:
            raise ValueError(
                f"lr > 0, 0 <= rho < 1, eps > 0, weight_decay >= 0; got {lr}, {rho}, {eps}, {weight_decay}"
            )
        if rows not in ("touched", "dense"):
            raise ValueError(f"rows is touched or dense; got {rows!r}")
        super().__init__(params, {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay})

    @overload
    def step(self, closure: None = None) -> None: ...
    @overload
    def step(self, closure: Callable[[], float]) -> float: ...
    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            parameters = [p for p in group["params"] if p.grad is not None]
            for parameter in parameters:
                if not self.state[parameter]:
                    self.state[parameter] = {
                        "square": torch.zeros_like(parameter),
                        "delta": torch.zeros_like(parameter),
                        "step": torch.zeros(()),
                    }
            self.step_dense([p for p in parameters if not p.grad.is_sparse], group)  # type: ignore[union-attr]
            for parameter in parameters:
                if parameter.grad is not None and parameter.grad.is_sparse:
                    self.step_rows(parameter, parameter.grad.coalesce(), group)
        return loss

    def step_dense(self, parameters: list[Tensor], group: dict[str, Any]) -> None:
        if parameters:
            adadelta(
                parameters,
                [p.grad for p in parameters if p.grad is not None],
                [self.state[p]["square"] for p in parameters],
                [self.state[p]["delta"] for p in parameters],
                [self.state[p]["step"] for p in parameters],
                foreach=True,
                lr=group["lr"],
                rho=group["rho"],
                eps=group["eps"],
                weight_decay=group["weight_decay"],
                maximize=False,
            )

    def step_rows(self, table_VE: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        """The same formula for the R rows of a sparse gradient and for no other row."""
        rows_R, gradient_RE = gradient.indices()[0], gradient.values()
        rho, eps, state = group["rho"], group["eps"], self.state[table_VE]
        square_RE = state["square"][rows_R].mul_(rho).addcmul_(gradient_RE, gradient_RE, value=1 - rho)
        delta_RE = state["delta"][rows_R]
        step_RE = (delta_RE + eps).sqrt_().div_((square_RE + eps).sqrt_()).mul_(gradient_RE)
        delta_RE.mul_(rho).addcmul_(step_RE, step_RE, value=1 - rho)
        state["square"][rows_R] = square_RE
        state["delta"][rows_R] = delta_RE
        table_VE.index_add_(0, rows_R, step_RE, alpha=-group["lr"])


def decayed_names(module: nn.Module) -> set[str]:
    """The parameters under the L2 penalty: all matrices but those that their module lists as `not_decayed`.

    The authors add wd * 0.5 * ||W||^2 to the loss, which has the gradient of `weight_decay=wd`.
    """
    return {
        name for name, parameter in module.named_parameters() if parameter.dim() >= 2 and not exempted(module, name)
    }


def exempted(module: nn.Module, name: str) -> bool:
    """Whether any part of `module` around the parameter `name` lists it as not decayed."""
    parts = name.split(".")
    for depth in range(len(parts)):
        owner, rest = module.get_submodule(".".join(parts[:depth])), ".".join(parts[depth:])
        if rest in getattr(owner, "not_decayed", ()):
            return True
    return False


def parameter_groups(
    modules: Iterable[nn.Module], tables: Iterable[nn.Parameter], weight_decay: float
) -> list[dict[str, Any]]:
    """Decayed matrices, everything else in `modules`, and tables of word vectors, which are never decayed."""
    decayed: list[nn.Parameter] = []
    others: list[nn.Parameter] = []
    for module in modules:
        names = decayed_names(module)
        for name, parameter in module.named_parameters():
            if parameter.requires_grad:
                (decayed if name in names else others).append(parameter)
    return [
        {"params": decayed, "weight_decay": weight_decay},
        {"params": others, "weight_decay": 0.0},
        {"params": [table for table in tables if table.requires_grad], "weight_decay": 0.0},
    ]
