"""Compares the SMILES parser with RDKit over a list of molecules.

    cargo build --release -p mercer-molecule --example describe_molecules
    rdkit_check.py target/release/examples/describe_molecules FILE...

A line of a file starts with one SMILES.
Every molecule is also compared in its Kekulé form and in three random orders of atoms.
"""
import json, random, re, subprocess, sys
from rdkit import Chem, RDLogger
from rdkit.Chem.rdMolDescriptors import CalcMolFormula

RDLogger.DisableLog("rdApp.*")
random.seed(1)
texts = []
for name in sys.argv[2:]:
    for line in open(name):
        line = line.split("#!")[0].strip()
        if line:
            texts.append(line.split()[0])
variants = []
for text in dict.fromkeys(texts):
    variants.append(text)
    mol = Chem.MolFromSmiles(text)
    if mol is None:
        continue
    copy = Chem.Mol(mol)
    try:
        Chem.Kekulize(copy, clearAromaticFlags=True)
        variants.append(Chem.MolToSmiles(copy, kekuleSmiles=True))
    except Exception:
        pass
    for _ in range(3):
        variants.append(Chem.MolToSmiles(mol, doRandom=True))
variants = list(dict.fromkeys(variants))
out = subprocess.run([sys.argv[1]], input="\n".join(variants) + "\n", capture_output=True, text=True, check=True).stdout.splitlines()
assert len(out) == len(variants)
parameters = Chem.SmilesParserParams()
parameters.removeHs = False
counts = {"molecules": 0, "refused by both": 0, "refused by RDKit only": 0, "refused by us only": 0, "flagged unsure": 0}
bad = {}
for text, line in zip(variants, out):
    ours = json.loads(line)
    mol = Chem.MolFromSmiles(text, parameters)
    if mol is None or "fault" in ours:
        key = "refused by both" if mol is None and "fault" in ours else "refused by RDKit only" if mol is None else "refused by us only"
        counts[key] += 1
        if key != "refused by both":
            bad.setdefault(key, []).append((text, ours.get("fault"), None))
        continue
    counts["molecules"] += 1
    counts["flagged unsure"] += ours["unsure"]
    formula = CalcMolFormula(mol)
    # RDKit counts the wildcard as `*` at the end and writes isotopes apart only on request.
    ours_formula = ours["formula"]
    normal = lambda f: (sorted(re.findall(r"[A-Z][a-z]?\d*|\*\d*", f)), re.findall(r"[+-]\d*$", f))
    theirs = {
        "formula": normal(formula),
        "atoms": mol.GetNumAtoms(),
        "bonds": mol.GetNumBonds(),
        "rings": sorted(len(r) for r in Chem.GetSSSR(mol)),
        "aromatic": [a.GetIdx() for a in mol.GetAtoms() if a.GetIsAromatic()],
        "aromatic_bonds": sorted(sorted([b.GetBeginAtomIdx(), b.GetEndAtomIdx()]) for b in mol.GetBonds() if b.GetIsAromatic()),
        "hydrogens": [a.GetTotalNumHs() for a in mol.GetAtoms()],
    }
    ours["formula"] = normal(ours_formula)
    ours["aromatic_bonds"] = sorted(ours["aromatic_bonds"])
    for key, value in theirs.items():
        if ours[key] != value:
            bad.setdefault(key, []).append((text, ours[key], value))
print(counts)
for key, items in bad.items():
    print(key, len(items), "differ")
    for item in items[:12]:
        print("   ", *item)
