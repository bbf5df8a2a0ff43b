"""The pictures of a paper's figures."""

from pathlib import Path

import matplotlib

from attest.reproduction.figures.accuracy_curves import AccuracyCurves
from attest.reproduction.figures.attention_measures import with_root_mean_squares
from attest.reproduction.figures.content import AttentionContent, ComparedAttention, Content
from attest.reproduction.figures.curve_charts import draw_epoch_curves, draw_length_curves
from attest.reproduction.figures.heatmaps import STYLE, draw_word_maps, word_map_size
from attest.reproduction.figures.hops import draw_hops
from attest.reproduction.figures.pictures import picture_fingerprint
from attest.reproduction.figures.size_chart import draw_size_curves
from attest.reproduction.figures.size_curves import SizeCurves
from attest.reproduction.figures.strips import draw_gates, draw_source2token
from attest.reproduction.figures.style import canvas
from attest.reproduction.specs.figure import FEATURES, FigureSpec


def draw_figure(spec: FigureSpec, content: Content, path: Path) -> None:
    """Draw the content of a figure; the same content gives the same file."""
    with matplotlib.rc_context({"svg.id": picture_fingerprint(content.ids)}):
        draw_content(spec, content, path)


def draw_content(spec: FigureSpec, content: Content, path: Path) -> None:
    """Draw the content of a figure in the way that its specification asks for."""
    if isinstance(content, AccuracyCurves):
        {"lengths": draw_length_curves, "epochs": draw_epoch_curves}[spec.shows](spec, content, path)
    elif isinstance(content, SizeCurves):
        draw_size_curves(spec, content, path)
    elif isinstance(content, ComparedAttention):
        draw_hops(spec, content, path)
    else:
        drawing = {"attention": draw_attention, "gates": draw_gates, "source2token": draw_source2token}
        drawing[spec.shows](spec, content, path)


def draw_attention(spec: FigureSpec, content: AttentionContent, path: Path) -> None:
    """Draw a map from words to words for each sentence and each attention block of the encoder."""
    sentences = with_root_mean_squares(content.sentences) if spec.features == "length" else content.sentences
    width, heights = word_map_size(sentences)
    with canvas(path, width, sum(heights), STYLE, title=spec.title, text=spec.alt) as figure:
        maps = len(sentences[0].pair_weights)
        words = [len(sentence.words) for sentence in sentences]
        grid = figure.subplots(len(words), maps, squeeze=False, height_ratios=words)
        draw_word_maps(figure, grid, sentences, FEATURES[spec.features])
