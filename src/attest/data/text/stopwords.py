"""English stop words, grouped by part of speech: a list that replaces NLTK's.

It has the words of NLTK's list, including the negations "not", "no" and "nor". Words with an apostrophe are left out:
they do not occur in text whose punctuation is deleted first, and neither list has forms such as "dont".
"""

PRONOUNS = """i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers
herself it its itself they them their theirs themselves what which who whom this that these those"""
VERBS = "am is are was were be been being have has had having do does did doing can will should"
ARTICLES_AND_CONJUNCTIONS = "a an the and but if or because as until while than so nor"
PREPOSITIONS = """of at by for with about against between into through during before after above below to from up down
in out on off over under"""
ADVERBS_AND_QUANTITIES = """again further then once here there when where why how all any both each few more most other
some such no not only own same too very just now"""
PIECES = """s t don d ll m o re ve y ain aren couldn didn doesn hadn hasn haven isn ma mightn mustn needn shan shouldn
wasn weren won wouldn"""

STOP_WORDS = frozenset(
    " ".join([PRONOUNS, VERBS, ARTICLES_AND_CONJUNCTIONS, PREPOSITIONS, ADVERBS_AND_QUANTITIES, PIECES]).split()
)
