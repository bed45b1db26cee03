//! No bytes, however strange, make a reader panic or take memory the file does not justify.

use mercer_io::{Format, ReadOptions, Source, read, stream};
use proptest::prelude::*;

/// Starts that lead a reader past its first check.
const STARTS: [&[u8]; 16] = [
    b"",
    b"a,b\n1,2\n",
    b"a;b\n\"1",
    b"1 1:2 3:4\n",
    b"@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n",
    b"@relation r\n@attribute a string\n@data\n{0 ",
    b"\x93NUMPY\x01\x00\x46\x00{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }          \n",
    b"\x93NUMPY\x02\x00",
    b"PAR1",
    b"\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x02",
    b">id text\nACGT\n",
    b"[{\"a\": 1, \"b\": \"x\"},",
    b"{\"a\": 1}\n{\"a\": ",
    b"PK\x03\x04\x14\x00\x00\x00\x08\x00",
    b"\xff\xfea\x00,\x00b\x00\n\x00",
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff",
];

/// Bytes that mean something to some format, and any others.
fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![
        3 => any::<u8>(),
        5 => proptest::sample::select(&b"\"',;:{}@%#>\n\r\t ?-+.e0123456789aNx\\()"[..]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arbitrary_bytes_do_not_panic(
        start in proptest::sample::select(&STARTS[..]),
        rest in proptest::collection::vec(byte(), 0..300),
        format in proptest::option::of(proptest::sample::select(Format::ALL)),
        zero_based in any::<bool>(),
        unlabelled in any::<bool>(),
    ) {
        let mut data = start.to_vec();
        data.extend(rest);
        let mut options = ReadOptions::default().zero_based(zero_based).unlabelled(unlabelled);
        options.format = format;
        let source = Source::bytes("fuzz", data);
        let whole = read(&source, &options);
        if let Ok(table) = &whole {
            prop_assert!(table.rows() > 0);
        }
        if let Err(error) = &whole {
            prop_assert!(!error.to_string().is_empty());
        }
        if let Ok(chunks) = stream(&source, &options, 2) {
            let rows: usize = chunks.map_while(Result::ok).map(|t| t.rows()).sum();
            if let Ok(table) = whole {
                // A later chunk may not fit the kinds of the first; no row comes twice.
                prop_assert!(rows <= table.rows());
            }
        }
    }
}

#[test]
fn a_compressed_claim_takes_no_memory() {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder
        .write_all(&[
            0, 0, 8, 2, 0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 1,
        ])
        .expect("memory");
    let source = Source::bytes("a.idx.gz", encoder.finish().expect("memory"));
    let error = read(&source, &ReadOptions::default()).expect_err("cut off");
    assert!(error.to_string().contains("promises"), "{error}");
}

/// Reads lines without end from a named pipe and asks to stop after four megabytes of them;
/// returns how long the reader went on.
#[cfg(unix)]
fn stop_in_the_middle(pipe: &std::path::Path) -> std::time::Duration {
    use std::io::Write;
    let cancel = mercer::fit::Cancel::default();
    let options = ReadOptions::default().cancel(cancel.clone());
    let source = Source::Path(pipe.to_owned());
    let reader = std::thread::spawn(move || read(&source, &options));
    let lines = "1.5,abc,2024-01-01\n".repeat(4000);
    // Opening waits for the reader; the pipe holds 64 kB, so the rest of what is written is read.
    let mut pipe = std::fs::OpenOptions::new()
        .write(true)
        .open(pipe)
        .expect("a pipe");
    for _ in 0..50 {
        pipe.write_all(lines.as_bytes()).expect("still reading");
    }
    cancel.cancel();
    let asked = std::time::Instant::now();
    let refused = (0..2000).any(|_| pipe.write_all(lines.as_bytes()).is_err());
    drop(pipe);
    let error = reader.join().expect("no panic").expect_err("no end");
    let took = asked.elapsed();
    assert!(refused && error.is_cancelled(), "{error}");
    took
}

#[cfg(unix)]
#[test]
fn a_stop_takes_less_than_a_tenth_of_a_second() {
    let folder = tempfile::tempdir().expect("folder");
    let pipe = folder.path().join("endless.csv");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    // Other tests may delay a stop, hardly five of them.
    let best = (0..5).map(|_| stop_in_the_middle(&pipe)).min();
    let best = best.expect("five stops");
    assert!(best.as_millis() < 100, "{best:?}");
}
