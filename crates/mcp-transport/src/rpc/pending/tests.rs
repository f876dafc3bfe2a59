//! Every order in which the caller of a request, the reader and the end of the connection can come to
//! the table. All state is behind one lock, so the orders of whole operations are all there are.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use super::*;

/// What one of the parties does next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Does {
    /// The caller: the link is given the request, unless it has its end.
    Sends,
    /// The caller looks, and waits if nothing is there.
    Looks,
    /// The caller waits no more.
    GivesUp,
    /// The reader: the answer is there.
    Answers,
    /// The end of the connection, and the failure of what still waits.
    Ends,
    Fails,
}

use Does::{Answers, Ends, Fails, GivesUp, Looks, Sends};

/// All orders of the parties' steps; each party keeps its own order.
fn orders(parties: &[&[Does]]) -> Vec<Vec<Does>> {
    if parties.iter().all(|party| party.is_empty()) {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, party) in parties.iter().enumerate() {
        let Some((first, rest)) = party.split_first() else {
            continue;
        };
        let mut left = parties.to_vec();
        left[at] = rest;
        let later = orders(&left).into_iter();
        all.extend(later.map(|order| [&[*first], order.as_slice()].concat()));
    }
    all
}

#[derive(Default)]
struct Bell(AtomicUsize);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// What a caller sees of its request.
#[derive(Debug, Default)]
struct Seen {
    answers: usize,
    rung: usize,
    late: bool,
}

fn play(order: &[Does]) -> Seen {
    let (table, bell) = (Pending::default(), Arc::<Bell>::default());
    let waker = Waker::from(Arc::clone(&bell));
    let mut cx = Context::from_waker(&waker);
    let (id, _) = table.open("tools/call", false, false).unwrap();
    let (mut seen, mut waiting) = (Seen::default(), Vec::new());
    let mut look = |seen: &mut Seen| {
        if let Poll::Ready(Step::Answer(_)) = table.poll(id, &mut cx) {
            seen.answers += 1;
        }
    };
    for does in order {
        match does {
            Sends => {
                table.mark_sent(id);
            }
            Looks => look(&mut seen),
            GivesUp => {
                table.give_up(id);
            }
            Answers => {
                let settled = table.settle(id, |_| Err(RequestError::Closed));
                seen.late = matches!(settled, Settled::Late | Settled::Duplicate);
            }
            Ends => waiting = table.end(&Ended::Closed),
            Fails => waiting
                .drain(..)
                .for_each(|id| table.fail(id, &Ended::Closed, false)),
        }
    }
    seen.rung = bell.0.load(Ordering::Relaxed);
    // A caller that was rung looks again.
    if seen.rung > 0 {
        look(&mut seen);
    }
    assert_eq!(table.len(), 0, "{order:?} leaves an entry");
    seen
}

#[test]
fn in_every_order_a_caller_gets_one_answer_and_is_woken_for_it() {
    let all = orders(&[&[Sends, Looks], &[Answers], &[Ends, Fails]]);
    assert_eq!(all.len(), 30);
    for order in all {
        let seen = play(&order);
        assert_eq!(seen.answers, 1, "{order:?}");
        assert!(seen.rung <= 1, "{order:?} wakes more than once");
    }
}

#[test]
fn in_every_order_only_what_the_link_was_not_given_is_told_not_to_have_been_sent() {
    for order in orders(&[&[Sends], &[Ends, Fails]]) {
        let table = Pending::default();
        let ended = Ended::Dropped(Arc::new(DropReason::TooLarge { limit: 1 }));
        let (id, _) = table.open("tools/call", false, false).unwrap();
        let mut given = false;
        for does in &order {
            match does {
                Sends => given = table.mark_sent(id),
                Ends => assert_eq!(table.end(&ended), [id]),
                _ => table.fail(id, &ended, false),
            }
        }
        let told = table.poll(id, &mut Context::from_waker(Waker::noop()));
        let Poll::Ready(Step::Answer(Err(RequestError::Dropped { sent, .. }))) = told else {
            panic!("{order:?} tells {told:?}");
        };
        assert_eq!(sent, given, "{order:?}");
    }
}

#[test]
fn in_every_order_a_request_that_is_given_up_leaves_nothing() {
    for order in orders(&[&[Sends, Looks, GivesUp], &[Answers], &[Ends, Fails]]) {
        let seen = play(&order);
        assert!(seen.answers <= 1, "{order:?}");
        let place = |what| order.iter().position(|does| *does == what);
        let answered_first = place(Answers) < place(GivesUp);
        assert_eq!(
            seen.late,
            !answered_first || place(Fails) < place(Answers),
            "{order:?}"
        );
    }
}

#[test]
fn nothing_is_opened_after_the_end() {
    let table = Pending::default();
    assert!(table.end(&Ended::Closed).is_empty());
    assert!(table.open("tools/call", false, false).is_err());
    assert_eq!(table.len(), 0);
}
