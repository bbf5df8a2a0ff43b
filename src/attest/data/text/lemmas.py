"""A lemmatiser: reduces words to their dictionary forms, by rules and a short list of exceptions.

It replaces NLTK's WordNet lemmatiser, which uses a dictionary and the part of speech. This one uses neither: a noun
with the ending of a verb ("a meeting") is taken for the verb, and names and words that are not in the list of
exceptions may lose letters that only look like an ending.
"""

import re

IRREGULAR = {
    form: lemma
    for lemma, forms in {
        "be": "am is are was were been",
        "have": "has had",
        "do": "did done",
        "go": "went gone",
        "say": "said", "get": "got gotten", "make": "made", "take": "took taken", "come": "came", "see": "saw seen",
        "give": "gave given", "find": "found", "tell": "told", "keep": "kept", "leave": "left", "hold": "held",
        "bring": "brought", "write": "wrote written", "sit": "sat", "stand": "stood", "lose": "lost", "pay": "paid",
        "meet": "met", "run": "ran", "speak": "spoke spoken", "lie": "lying", "die": "dying", "tie": "tying tied",
        "dye": "dyed", "lead": "led", "send": "sent", "build": "built", "draw": "drawn", "fall": "fell fallen",
        "grow": "grew grown",
        "break": "broke broken", "spend": "spent", "drive": "drove driven", "buy": "bought", "wear": "wore worn",
        "choose": "chose chosen", "throw": "threw thrown", "catch": "caught", "teach": "taught", "win": "won",
        "forget": "forgot forgotten", "sleep": "slept", "eat": "ate eaten", "sing": "sang sung", "ride": "rode ridden",
        "fly": "flew flown", "swim": "swam swum", "shoot": "shot", "fight": "fought", "feed": "fed", "hide": "hidden",
        "create": "created creating", "add": "added adding", "agree": "agreed", "free": "freed",
        "change": "changed changing", "arrange": "arranged arranging", "lounge": "lounged lounging", "bus": "buses",
        "escape": "escaped escaping", "explore": "explored exploring", "plunge": "plunged plunging",
        "man": "men", "woman": "women", "child": "children", "foot": "feet", "tooth": "teeth",
        "mouse": "mice", "goose": "geese", "knife": "knives", "wife": "wives", "life": "lives", "wolf": "wolves",
        "half": "halves", "shelf": "shelves", "scarf": "scarves", "loaf": "loaves", "thief": "thieves",
        "policeman": "policemen", "fireman": "firemen", "fisherman": "fishermen", "shoe": "shoes", "movie": "movies",
        "cookie": "cookies", "zombie": "zombies", "hoodie": "hoodies", "toe": "toes", "canoe": "canoes", "axe": "axes",
    }.items()
    for form in forms.split()
}  # fmt: skip
WITHOUT_ENDING = frozenset({
    "during", "morning", "evening", "ceiling", "building", "something", "anything", "nothing", "everything", "wedding",
    "clothing", "lightning", "pudding", "sibling", "sterling", "hundred", "naked", "wicked", "sacred", "news", "series",
    "species", "christmas", "clothes", "always", "perhaps", "towards", "lens", "pants", "jeans", "scissors",
    "sunglasses", "glasses", "shorts", "goggles",
})  # fmt: skip
"""Words that end like a plural or a verb form but are none, such as morning; they stay as they are."""
VOWEL = re.compile("[aeiouy]")
DOUBLED = re.compile(r"([bdgmnprt])\1$")
SHORT_STEM = re.compile(r"^[^aeiou]*[aeiouy][^aeiouwxy]$")
"""The pattern of stems with one vowel and one consonant at the end, which take an e: rid(e), mak(e), smil(e)."""
NEEDS_E = re.compile(r"([cvu]|[^z]z|dg|ag|[aeiourn]s|[^aeioulrw]l|[^aeo](a[drt]|i[dn])|[^ae]ir|[^o]ur)$")
"""The pattern of longer stems that take an e, because few words end as they do without it.

Examples are danc(e), leav(e), judg(e), manag(e), rins(e), juggl(e), prepar(e), decid(e), examin(e) and measur(e)."""


def lemma(word: str) -> str:
    """Return the dictionary form of a word, which must be in lower case."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word in WITHOUT_ENDING or not word.isalpha():
        return word
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 1 and VOWEL.search(stem) and not word.endswith("eed"):
            return verb_of_stem(stem)
    return singular(word)


def verb_of_stem(stem: str) -> str:
    """Return the infinitive of a verb from its stem without -ing or -ed: make for mak, run for runn."""
    if DOUBLED.search(stem):
        return stem[:-1]
    return stem + "e" if NEEDS_E.search(stem) or SHORT_STEM.search(stem) else stem


def singular(word: str) -> str:
    """Return the singular of a noun, or a verb without its -s."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("ches", "shes", "sses", "xes", "zzes", "oes")):
        return word[:-2]
    return word[:-1]
