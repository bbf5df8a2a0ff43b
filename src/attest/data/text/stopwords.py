"""Words that mean little by themselves, by what they are: a list of our own that stands in for NLTK's English one.

It has the words of that list, negations ("not", "no", "nor") among them, without those that hold an apostrophe, which
never occur where punctuation is deleted first ("dont" is in neither list).
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
