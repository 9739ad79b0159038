// SPDX-License-Identifier: Apache-2.0
//! Hints for unknown names in messages.

/// The greatest number of names that a hint lists.
const MAX_LISTED: usize = 16;

/// Return a hint about the unknown name `wanted`: ``; did you mean `x`?`` if a known name is
/// similar. Otherwise list the names: ``; WHAT are `x`, `y` ``, or nothing if there are too many.
#[cold]
pub(crate) fn hint(wanted: &str, known: &[&str], what: &str) -> String {
    if let Some(name) = most_similar(wanted, known) {
        return format!("; did you mean `{name}`?");
    }
    if known.is_empty() || known.len() > MAX_LISTED {
        return String::new();
    }
    format!("; {what} are `{}`", known.join("`, `"))
}

/// Return the known name that needs the fewest edits, but at most one for every four characters (and
/// one for short names). The case of letters does not count.
fn most_similar<'a>(wanted: &str, known: &[&'a str]) -> Option<&'a str> {
    let wanted = lower(wanted);
    // A name of one letter is not similar to another one.
    let most = (wanted.len() / 4).max(usize::from(wanted.len() > 1));
    let distances = known
        .iter()
        .filter(|name| name.len().abs_diff(wanted.len()) <= most)
        .map(|name| (distance(&wanted, &lower(name)), *name));
    let (edits, name) = distances.min_by_key(|(edits, _)| *edits)?;
    (edits <= most).then_some(name)
}

fn lower(name: &str) -> Vec<u8> {
    name.to_ascii_lowercase().into_bytes()
}

/// Return the number of edits from `a` to `b`. An edit inserts, deletes or replaces a byte, or swaps
/// neighbours.
fn distance(a: &[u8], b: &[u8]) -> usize {
    // `rows[i][j]` is the distance between the first `i` bytes of `a` and the first `j` of `b`.
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_similar_name_is_suggested() {
        assert_eq!(
            hint("length", &["side"], "its fields"),
            "; its fields are `side`"
        );
        assert_eq!(
            hint("Radius", &["side", "radius"], ""),
            "; did you mean `radius`?"
        );
        assert_eq!(
            hint("redius", &["side", "radius"], ""),
            "; did you mean `radius`?"
        );
        assert_eq!(hint("y", &["x"], "its fields"), "; its fields are `x`");
        assert_eq!(hint("x", &[], "its fields"), "");
        assert_eq!(hint("other", &["name"; 17], "its fields"), "");
        assert_eq!(distance(b"kitten", b"sitting"), 3);
        assert_eq!(distance(b"raduis", b"radius"), 1);
    }
}
