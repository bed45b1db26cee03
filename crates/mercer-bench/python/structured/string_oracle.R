# Values of kernlab's string kernels for the Rust tests.
#
#     Rscript crates/mercer-bench/python/structured/string_oracle.R
#
# from the repository root. Reads `strings/promotergene.csv` and `strings/reuters_kernlab.csv` of the
# folder MERCER_DATA (default ../shared/data beside the repository) and writes
# tests/data/oracle/strings_kernlab.json. The strings are in the file, so a test needs no other
# data. `string_check.py` computes every value again from the formulas below.
#
# Notation: occ(u, s) is how often the word u occurs in s, overlaps counted. x' is x with a line
# break behind it. lambda and length are kernlab's parameters, all with normalized = FALSE.
#
#   type         value                                                        line break
#   constant     sum over u, |u| >= 1, of occ(u, x') occ(u, z')               part of the string
#   exponential  sum over u, |u| >= 1, of lambda^-|u| occ(u, x') occ(u, z')   part of the string
#   boundrange   sum over u, 1 <= |u| <= length, of occ(u, x') occ(u, z')     part of the string
#   spectrum     sum over u, |u| = length, of occ(u, x') occ(u, z')           part of the string
#   sequence     sum over pairs of index tuples i of x, j of z, both of       not there
#                `length` entries, with x[i] = z[j], of lambda^(span(i) + span(j)),
#                span(i) = last - first + 1
#   string       lambda^(2 length + 2) sum over u, |u| = length,              not there
#                of occ(u, x) occ(u, z)
#   fullstring   sum over u, 1 <= |u| <= length,                              not there
#                of lambda^(2 |u|) occ(u, x) occ(u, z)
#
# What follows for mercer, whose substring kernel is 1 + sum of decay^|u| occ(u, x) occ(u, z):
#
#   constant            = substring(x', z'; decay 1, min 1) - 1
#   exponential(lambda) = substring(x', z'; decay 1 / lambda, min 1) - 1. A larger lambda decays
#                         faster; lambda < 1 favours long words.
#   boundrange(n)       = substring(x', z'; decay 1, min 1, max n) - 1
#   spectrum(n)         = spectrum(x', z'; length n)
#   sequence(n, lambda) = gap(x, z; length n, decay lambda). Both spans count, a span is at
#                         least n, so n equal letters in a row weigh lambda^(2 n).
#   string(n, lambda)   = lambda^(2 n + 2) spectrum(x, z; length n)
#   fullstring(n, lambda) = substring(x, z; decay lambda^2, min 1, max n) - 1
#   subsequence(x, z)   = 1 + sum over n >= 1 of sequence(n, 1)
#
# The line break may also be added by hand: when neither string has one itself and s is the
# length of their longest common ending, x', z' have the words of x, z and s + 1 words more that
# end with the break. So sum(x', z') = sum(x, z) + decay^1 + ... + decay^(s + 1).
#
# Where kernlab 0.9-32 surprises:
#
# * exponential with lambda = 1 is NaN (the closed sum divides by lambda - 1). Use constant.
# * An empty first string ends the R process (types constant, exponential, boundrange); an empty
#   second one is right. In kernelMatrix any empty string can be the first. spectrum stops or
#   warns instead, sequence gives 0.
# * A first string that is itself one line break gives nonsense, negative or above 1e9.
#   kernelMatrix has it too. A line break inside a longer string is an ordinary letter.
# * spectrum: the kernel function refuses strings shorter than `length` after the break was
#   added, kernelMatrix before it was added, and only for its first argument. Otherwise the words
#   with the break count: spectrum(2) of "ab" with itself is 2, not 1.
# * The kernel function of type spectrum cannot be called with one argument.
# * The first four types work on bytes: two letters of one UTF-8 lead byte share a word.
#   sequence, string and fullstring look at the first nchar(x) bytes and ignore the rest of a
#   text with letters of several bytes. Hence only ASCII here.
# * sequence costs time cubic in the length, not quadratic.

suppressMessages(library(kernlab))

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
here <- dirname(normalizePath(script))
root <- normalizePath(file.path(here, "..", "..", "..", ".."))
data <- Sys.getenv("MERCER_DATA", file.path(root, "..", "shared", "data"))
if (!startsWith(data, "/")) data <- file.path(root, data)

genes <- read.csv(file.path(data, "strings", "promotergene.csv"), stringsAsFactors = FALSE)
texts <- read.csv(file.path(data, "strings", "reuters_kernlab.csv"),
                  stringsAsFactors = FALSE)$text
ascii <- texts[!grepl("[^ -~]", substr(texts, 1, 45))]

sets <- list(
  words = c("BEERE", "BERT"),
  promoter_genes = genes$sequence[seq(1, 100, by = 11)],
  news = substr(ascii[1:10], 1, 12 + 3 * 1:10)
)
strings <- unlist(sets, use.names = FALSE)

quoted <- function(text) {
  text <- gsub("\\", "\\\\", text, fixed = TRUE)
  paste0("\"", gsub("\"", "\\\"", text, fixed = TRUE), "\"")
}
number <- function(x) ifelse(is.finite(x), sprintf("%.17g", x), "null")
list_of <- function(items) paste0("[", paste(items, collapse = ","), "]")

# Rows of the upper triangle, diagonal first.
triangle <- function(matrix) {
  rows <- vapply(seq_len(nrow(matrix)),
                 function(i) list_of(number(matrix[i, i:ncol(matrix)])), "")
  list_of(rows)
}

# `mercer` says which kernel of mercer gives the value plus `add`, divided by `factor`.
case <- function(id, kernel, line_break, mercer, add, factor = 1) {
  parameters <- kpar(kernel)
  value <- kernelMatrix(kernel, strings)@.Data
  stopifnot(all(is.finite(value)), isSymmetric(value))
  paste0("{\"id\":", quoted(id), ",\"type\":", quoted(parameters$type),
         ",\"length\":", number(parameters$length), ",\"lambda\":", number(parameters$lambda),
         ",\"line_break\":", if (line_break) "true" else "false",
         ",\"mercer\":", mercer, ",\"add\":", number(add), ",\"factor\":", number(factor),
         ",\"value\":", triangle(value), "}")
}
substring_of <- function(decay, max) {
  paste0("{\"kernel\":\"substring\",\"decay\":", number(decay), ",\"min\":1,\"max\":",
         if (is.finite(max)) number(max) else "null", "}")
}
spectrum_of <- function(length) {
  paste0("{\"kernel\":\"spectrum\",\"length\":", number(length), "}")
}
gap_of <- function(length, decay) {
  paste0("{\"kernel\":\"gap\",\"length\":", number(length), ",\"decay\":", number(decay), "}")
}
plain <- function(...) stringdot(..., normalized = FALSE)

cases <- case("constant", plain(type = "constant"), TRUE, substring_of(1, Inf), 1)
for (lambda in c(1.25, 2, 4)) {
  cases <- c(cases, case(paste0("exponential-", lambda),
                         plain(type = "exponential", lambda = lambda), TRUE,
                         substring_of(1 / lambda, Inf), 1))
}
for (length in c(1, 2, 4)) {
  cases <- c(cases, case(paste0("boundrange-", length),
                         plain(type = "boundrange", length = length), TRUE,
                         substring_of(1, length), 1))
}
# The longest common length: kernelMatrix refuses spectrum above the shortest string, BERT.
for (length in 1:4) {
  cases <- c(cases, case(paste0("spectrum-", length),
                         plain(type = "spectrum", length = length), TRUE,
                         spectrum_of(length), 0))
}
for (pair in list(c(1, 0.5), c(2, 0.5), c(3, 0.5), c(4, 0.5), c(2, 1), c(3, 0.9), c(5, 0.25),
                  c(4, 1.1))) {
  cases <- c(cases, case(paste0("sequence-", pair[1], "-", pair[2]),
                         plain(type = "sequence", length = pair[1], lambda = pair[2]), FALSE,
                         gap_of(pair[1], pair[2]), 0))
}
for (pair in list(c(3, 0.5), c(2, 1))) {
  cases <- c(cases, case(paste0("string-", pair[1], "-", pair[2]),
                         plain(type = "string", length = pair[1], lambda = pair[2]), FALSE,
                         spectrum_of(pair[1]), 0, pair[2]^(2 * pair[1] + 2)))
}
for (pair in list(c(3, 0.5), c(5, 0.9))) {
  cases <- c(cases, case(paste0("fullstring-", pair[1], "-", pair[2]),
                         plain(type = "fullstring", length = pair[1], lambda = pair[2]), FALSE,
                         substring_of(pair[2]^2, pair[1]), 1))
}

# Every length up to the longer word: their sum, and 1 for the empty tuple, is the number of
# pairs of equal subsequences.
every_length <- matrix(1, 2, 2)
for (length in 1:5) {
  kernel <- plain(type = "sequence", length = length, lambda = 1)
  every_length <- every_length + kernelMatrix(kernel, sets$words)@.Data
}

header <- paste0(
  "{\"made_by\":{\"R\":", quoted(as.character(getRversion())),
  ",\"kernlab\":", quoted(as.character(packageVersion("kernlab"))), "}",
  ",\"command\":\"Rscript crates/mercer-bench/python/structured/string_oracle.R\"",
  ",\"meaning\":", quoted(paste(
    "value[i][j - i] is kernlab's kernelMatrix, normalized = FALSE, of strings i and j >= i.",
    "When line_break is true, append a line break to both strings first. Then the mercer kernel",
    "equals (value + add) / factor. length and lambda are what kernlab stores, also when the",
    "type does not use them. Formulas are in the script.")),
  ",\"subsequence\":", quoted(paste(
    "of the first two strings: 1 + sum over lengths 1 to 5 of type sequence with lambda 1")),
  "}")
ends <- cumsum(lengths(sets))
set_rows <- paste0(quoted(names(sets)), ":[", ends - lengths(sets), ",", ends, "]")

out <- file.path(root, "tests", "data", "oracle", "strings_kernlab.json")
writeLines(c(
  paste0("{\"header\":", header, ","),
  paste0("\"sets\":{", paste(set_rows, collapse = ","), "},"),
  paste0("\"strings\":", list_of(quoted(strings)), ","),
  paste0("\"subsequence\":", triangle(every_length), ","),
  "\"cases\":[",
  paste(cases, collapse = ",\n"),
  "]}"), out, useBytes = TRUE)
cat(length(cases), "cases of", length(strings), "strings,", file.size(out), "bytes\n")
