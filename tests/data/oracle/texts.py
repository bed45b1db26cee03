#!/usr/bin/env python3
"""Record scikit-learn's bags of words and tf-idf weights in texts.json.

Usage:  python tests/data/oracle/texts.py

Each case has training texts, new texts, settings as mercer writes them, and what
CountVectorizer or TfidfVectorizer makes of both: words, weights of words, rows as
pairs of column and value. `letters` and `others` are characters drawn at random
from all that Unicode assigns, by whether Python's `\\w` takes them.
"""

import json
import random
import re
import unicodedata
from pathlib import Path

import sklearn
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

ENGLISH = [
    "Free entry in 2 a weekly comp to win FA Cup final tickets!",
    "Nah I don't think he goes to usf, he lives around here though",
    "",
    "FREE free Free: call 0800-123_456 now, NOW, now.",
    "a b c d",
    "win win win a prize; e-mail us at prize_desk@example.com",
    "I'm gonna be home soon and i don't want to talk about this stuff anymore",
    "call now to win",
]
SCRIPTS = [
    "Straße STRASSE straße Größe GRÖSSE",
    "ΟΔΟΣ οδος Οδός ΣΑΣ",
    "Привет, МИР! привет мир",
    "हिन्दी में लिखा हुआ पाठ",
    "日本語 の テキスト 日本語",
    "مرحبا بالعالم مرحبا",
    "İstanbul ıstanbul ISTANBUL istanbul",
    "cafe\u0301s café CAFÉ nai\u0308ve naïve",
    "x² ½¾ 10⁻³ Ⅻ ⅻ ①② Ⓐⓑ 一二",
    "emoji 😀😀 zero\u200bwidth soft\u00adhyphen non\u00a0breaking",
    "ǅungla ǆungla ǄUNGLA ﬁne ﬀ",
    "ไทย ภาษาไทย 한국어 한국어 עברית",
    "straße ПРИВЕТ МИР 日本語 οδος ½¾ CAFÉ",
]
NEW = [
    "call FREE entry now unseen words here",
    "",
    "nothing known-about zzz qqq",
    "οδος STRASSE 日本語 café привет İstanbul ½¾",
    "win",
]
SETTINGS = [
    ("bag", CountVectorizer, {}),
    ("bag(binary)", CountVectorizer, {"binary": True}),
    ("bag(ngrams=2,min=2)", CountVectorizer, {"ngram_range": (1, 2), "min_df": 2}),
    ("tfidf", TfidfVectorizer, {}),
    ("tfidf(ngrams=2)", TfidfVectorizer, {"ngram_range": (1, 2)}),
    ("tfidf(min=2)", TfidfVectorizer, {"min_df": 2}),
    (
        "tfidf(binary,ngrams=3,min=2)",
        TfidfVectorizer,
        {"binary": True, "ngram_range": (1, 3), "min_df": 2},
    ),
]


def rows(matrix):
    matrix = matrix.tocsr().astype(float)
    matrix.sort_indices()
    starts = matrix.indptr
    return [
        [
            [int(j), float(v)]
            for j, v in zip(matrix.indices[a:b], matrix.data[a:b], strict=True)
        ]
        for a, b in zip(starts[:-1], starts[1:], strict=True)
    ]


def case(name, texts, settings):
    text, make, arguments = settings
    vectoriser = make(**arguments)
    train = rows(vectoriser.fit_transform(texts))
    words = vectoriser.get_feature_names_out().tolist()
    return {
        "texts": name,
        "encode": text,
        "words": words,
        "factors": vectoriser.idf_.tolist() if make is TfidfVectorizer else None,
        "train": train,
        "new": rows(vectoriser.transform(NEW)),
    }


def characters(count):
    draw = random.Random(19)
    word = re.compile(r"\w")
    letters, others = [], []
    while len(letters) + len(others) < count:
        c = chr(draw.randrange(0x80, 0x20000))
        if unicodedata.category(c)[0] != "C":
            (letters if word.match(c) else others).append(c)
    return "".join(letters), "".join(others)


def main():
    corpora = {"english": ENGLISH, "scripts": SCRIPTS, "one": ["just one document, just one"]}
    cases = []
    for name, texts in corpora.items():
        for settings in SETTINGS:
            # Of one text no word is in two: scikit-learn refuses.
            if len(texts) >= settings[2].get("min_df", 1):
                cases.append(case(name, texts, settings))
    letters, others = characters(6000)
    document = {
        "made_by": f"scikit-learn {sklearn.__version__}",
        "corpora": corpora,
        "new": NEW,
        "cases": cases,
        "letters": letters,
        "others": others,
    }
    path = Path(__file__).with_name("texts.json")
    path.write_text(json.dumps(document, ensure_ascii=False, indent=None) + "\n")
    print(f"{len(cases)} cases, {len(letters)} letters, {len(others)} others")


main()
