# Seconds of kernlab's string kernel matrices.
#
#     Rscript string_speed.R [texts = 500] [texts for sequence = the same]
#
# Two kernels, two sets: `constant` is mercer's substring kernel without decay, `sequence` of
# length 4 and lambda 0.5 is its gap kernel; formulas are in string_oracle.R. The sets are the
# first ASCII texts of strings/sms_spam.csv and the 106 genes of strings/promotergene.csv in the
# folder MERCER_DATA (default ../shared/data beside the repository). The second argument allows
# fewer texts for `sequence`, whose cost is cubic in the length of a text; the output names the
# number of texts that was used. kernlab works on one core. Prints JSON.

suppressMessages(library(kernlab))

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
root <- normalizePath(file.path(dirname(normalizePath(script)), "..", "..", "..", ".."))
data <- Sys.getenv("MERCER_DATA", file.path(root, "..", "shared", "data"))
if (!startsWith(data, "/")) data <- file.path(root, data)

arguments <- as.integer(commandArgs(TRUE))
texts <- if (length(arguments) >= 1) arguments[1] else 500L
sequence_texts <- if (length(arguments) >= 2) arguments[2] else texts

# Spaces around fields without quotes go, as mercer's reader has it.
sms <- read.csv(file.path(data, "strings", "sms_spam.csv"), stringsAsFactors = FALSE,
                encoding = "UTF-8", strip.white = TRUE)$text
# kernlab cuts or splits letters of several bytes and fails on empty texts.
sms <- sms[!grepl("[^ -~]", sms) & nchar(sms) > 0]
genes <- read.csv(file.path(data, "strings", "promotergene.csv"),
                  stringsAsFactors = FALSE)$sequence

kernels <- list(
  substring = stringdot(type = "constant", normalized = FALSE),
  gap = stringdot(type = "sequence", length = 4, lambda = 0.5, normalized = FALSE)
)
load_before <- if (file.exists("/proc/loadavg")) strsplit(readLines("/proc/loadavg"), " ")[[1]][1]

timed <- function(name, set, strings) {
  gc()
  spent <- system.time(matrix <- kernelMatrix(kernels[[name]], strings))
  # The sum of the matrix lets another program show that it computed the same.
  sprintf(paste0("{\"kernel\":\"%s\",\"set\":\"%s\",\"strings\":%d,\"letters\":%d,",
                 "\"longest\":%d,\"seconds\":%.3f,\"cpu_seconds\":%.3f,\"sum\":%.17g}"),
          name, set, length(strings), sum(nchar(strings)), max(nchar(strings)),
          spent[["elapsed"]], spent[["user.self"]] + spent[["sys.self"]], sum(matrix))
}

rows <- c(
  timed("substring", "sms", sms[seq_len(texts)]),
  timed("substring", "promotergene", genes),
  timed("gap", "promotergene", genes),
  timed("gap", "sms", sms[seq_len(sequence_texts)])
)
cat(sprintf("{\"R\":\"%s\",\"kernlab\":\"%s\",\"load_before\":%s,\"times\":[\n%s\n]}\n",
            getRversion(), packageVersion("kernlab"),
            if (is.null(load_before)) "null" else load_before, paste(rows, collapse = ",\n")))
