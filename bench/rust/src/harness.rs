// SPDX-License-Identifier: Apache-2.0
//! Times rows by the method of `ffi_micro.cpp`, and writes them in the layout of `ffi_bench.py`.

use std::time::Instant;

const REPEATS: usize = 9;

struct Row {
    name: String,
    median: f64,
    least: f64,
    deviation: f64,
}

/// The results of a run.
pub struct Bench {
    filter: String,
    json: Option<String>,
    budget: f64,
    rows: Vec<Row>,
}

impl Bench {
    /// Read the arguments `[--json FILE] [--filter TEXT] [--quick]`. For any other argument, print
    /// the usage and exit with status 2.
    pub fn from_arguments() -> Bench {
        let mut bench = Bench {
            filter: String::new(),
            json: None,
            budget: 60e6,
            rows: Vec::new(),
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => bench.budget = 15e6,
                "--json" => bench.json = arguments.next(),
                "--filter" => bench.filter = arguments.next().unwrap_or_default(),
                _ => {
                    eprintln!("usage: ffi-micro [--json FILE] [--filter TEXT] [--quick]");
                    std::process::exit(2);
                }
            }
        }
        bench
    }

    /// Time `body(n)`, which runs an operation `n` times.
    pub fn time(&mut self, name: &str, body: impl FnMut(i64)) {
        self.time_many(name, 1, body);
    }

    /// Time `body(n)` like `time`. One run of the operation counts as `per` operations.
    pub fn time_many(&mut self, name: &str, per: u32, mut body: impl FnMut(i64)) {
        if !name.contains(&self.filter) {
            return;
        }
        let mut clock = |n: i64| {
            let start = Instant::now();
            body(n);
            start.elapsed().as_nanos() as f64
        };
        clock(1);
        let target = self.budget / REPEATS as f64;
        let mut n = 1i64;
        loop {
            let spent = clock(n);
            if spent > target * 0.4 || n > 1 << 40 {
                break;
            }
            let wanted = (n as f64 * 20.0).min(n as f64 * target / spent.max(1.0));
            n = (n + 1).max(wanted as i64);
        }
        let times = (0..REPEATS).map(|_| clock(n) / (n as f64 * f64::from(per)));
        let times: Vec<f64> = times.collect();
        let median = median(times.clone());
        let row = Row {
            name: name.to_string(),
            median,
            least: times.iter().copied().fold(f64::INFINITY, f64::min),
            deviation: self::median(times.iter().map(|time| (time - median).abs()).collect()),
        };
        eprintln!("{:52} {:14.2} ns", row.name, row.median);
        self.rows.push(row);
    }

    /// Write the results to the file of the argument `--json`, if given.
    pub fn write(&self) {
        let Some(path) = &self.json else { return };
        let rows = self.rows.iter().map(|row| {
            format!(
                "\n  \"rust/{}\": {{\"ns\": {:.3}, \"min\": {:.3}, \"mad\": {:.3}}}",
                row.name, row.median, row.least, row.deviation
            )
        });
        let rows = rows.collect::<Vec<_>>().join(",");
        let text = format!(
            "{{\"meta\": {{\"peer\": \"rust\"}},\n \"rows\": {{{rows}\n }},\n \"skipped\": {{}}}}\n"
        );
        std::fs::write(path, text).unwrap_or_else(|error| panic!("cannot write {path}: {error}"));
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
