"""The interface of every sentence encoder.

Legend: B batch, T time, N rows of a layout (words), D features, W width of the sentence vector.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from torch import Tensor, nn

from attest.models.arguments import CheckedArguments, check_tensors, check_type
from attest.models.attention import Layout
from attest.models.attention.masked import in_type_of
from attest.models.kernels.derivatives import is_transformed
from attest.models.modes import evaluating


class NoMapsError(Exception):
    """The encoder has no attention maps to show."""


class Encoder(CheckedArguments, nn.Module, ABC):
    """The base class of sentence encoders, which map the word vectors of a sentence to one vector.

    `encoder(x, mask)` returns (B, W) for x (B, T, D) and a boolean mask (B, T), True at words. Padding has no influence
    and costs no computation, since words are packed into one matrix (N, D) first. A sentence without words gives zeros.
    A subclass defines `width` and `encode`, and `maps` if it attends. The annotations of its constructor are the types
    of its arguments, which are checked before the constructor runs.

    An encoder that sums the words of a sentence:

        >>> class Sum(Encoder):
        ...     def __init__(self, input_size: int) -> None:
        ...         super().__init__()
        ...         self.input_size = self.width = input_size
        ...
        ...     def encode(self, x_ND, layout):
        ...         return layout.grid(x_ND).sum(1)
        >>> x, mask = torch.ones(1, 3, 4), torch.tensor([[True, True, False]])
        >>> Sum(4)(x, mask)
        tensor([[2., 2., 2., 2.]])
    """

    version: ClassVar[int] = 1
    """The version of the code, which is part of the run id. Raise it when equal settings give different numbers."""

    symbols: ClassVar[dict[str, str]] = {}
    """The paper's symbol for each of the module's own parameters, by name. Submodules have symbols of their own."""

    not_decayed: ClassVar[tuple[str, ...]] = ()
    """The names of the module's own matrices that the authors leave out of the L2 penalty."""

    pairs: ClassVar[bool] = False
    """True if the sentences of a pair attend to each other, which makes the encoder a matcher."""

    takes_phrases: ClassVar[bool] = False
    """True if the encoder can attend within the phrases of a sentence."""

    levels: int = 0
    """The number of levels of phrases that the encoder needs; 0 if it needs none."""

    width: int
    """The length W of the sentence vector."""

    input_size: int | None = None
    """The number D of features of a word vector; None if the encoder takes any."""

    auxiliary_loss: Tensor | None = None
    """The penalty that the last call adds to the loss; None in evaluation, for a batch of T = 0 words, and for encoders
    without one."""

    def forward(self, x: Tensor, mask: Tensor, phrases: Tensor | None = None) -> Tensor:
        """Return the sentence vectors (B, W) of word vectors x (B, T, D), where `mask` (B, T) is True at words.

        Bit t - 1 of phrases[b, i] is set if a phrase of level t begins at word i of sentence b. Without autocast the
        vectors of an x of 16 bits have its type. Raise ValueError if a shape or a type does not fit the encoder, if a
        word vector is not finite, if an encoder that needs phrases gets none, or if one that needs none gets some.
        """
        layout = self.layout(mask, phrases)
        x_ND = self.rows(x, layout)
        if not mask.shape[1]:
            self.auxiliary_loss = None  # else the penalty would be that of an earlier batch
            return x.new_zeros(len(mask), self.width)
        return in_type_of(x, self.encode(x_ND, layout))

    def layout(self, mask: Tensor, phrases: Tensor | None) -> Layout:
        """Return the layout of a packed batch, or raise ValueError if `phrases` is missing or superfluous."""
        if phrases is not None and not self.levels:
            raise ValueError(f"phrases: {type(self).__name__} does not use phrases; leave phrases out")
        if phrases is None and self.levels:
            raise ValueError(f"phrases: {type(self).__name__} needs the phrases of each sentence; pass phrases=...")
        return Layout(mask, packed=True, phrases_BT=phrases)

    def rows(self, x: Tensor, layout: Layout) -> Tensor:
        """Return the rows (N, D) of x (B, T, D), or raise ValueError if the encoder cannot take them."""
        check_tensors(x=x)
        if x.dim() != 3 or self.input_size not in (None, x.shape[2]):
            wanted = f"(batch, time, {self.input_size or 'features'})"
            raise ValueError(f"x is {tuple(x.shape)}; {type(self).__name__} takes word vectors {wanted}")
        check_type(self, x=x)
        x_ND = layout.rows(x)
        if is_transformed():  # torch.vmap cannot branch on numbers
            return x_ND
        # The sum is finite unless a number is not, or it overflows. Summing takes a twentieth of the time of `isfinite`
        # on every number.
        if not x_ND.detach().sum().isfinite() and not x_ND.isfinite().all():
            sentence = int(layout.sentence_N[~x_ND.isfinite().all(1)][0])
            raise ValueError(f"x is not finite at a word of sentence {sentence}; use numbers without NaN and infinity")
        return x_ND

    @abstractmethod
    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        """Return the sentence vectors (B, W) of the rows of a layout."""

    def attend(self, x: Tensor, mask: Tensor, phrases: Tensor | None = None) -> dict[str, Tensor]:
        """Return the encoder's attention maps by name, each (B, T, ...), with the words of each sentence in front.

        The arguments are those of `forward`. A map whose name begins with "attention" is (B, query, key, ...), and 0
        for queries and keys that are padding. The maps are those of evaluation, without dropout, even if the encoder is
        in training mode. Raise NoMapsError if the encoder has no maps.
        """
        layout = self.layout(mask, phrases)
        x_ND = self.rows(x, layout)
        if not mask.shape[1]:
            raise ValueError(f"the mask is {tuple(mask.shape)}; give sentences of at least one word to get maps")
        with evaluating(self):
            return self.maps(x_ND, layout)

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        """Return the attention maps of the rows of a layout, in the form of `attend`."""
        raise NoMapsError(f"{type(self).__name__} has no attention maps to show")

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles of the encoder have: all but the penalty, which belongs to the last call."""
        return {name: value for name, value in self.__dict__.items() if name != "auxiliary_loss"}
