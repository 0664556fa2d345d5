//! Operations in the form in which the tool writes them.

#![allow(warnings)]
#![allow(clippy::all, clippy::disallowed_methods)]

use std::sync::{Condvar, Mutex, mpsc};
use std::time::{Duration, Instant, SystemTime};

use provoke_exec::*;

use crate::numbers::*;
use crate::subjects::*;

pub fn register(r: &mut Registry) {
    vectors(r);
    drops_and_panics(r);
    callbacks(r);
    deaths(r);
    outside(r);
    looks(r);
    tracked(r);
    types(r);
}

fn vectors(r: &mut Registry) {
    { let f: fn() -> _ = <Vec<u8>>::new; r.op(VEC_NEW, f) }
    { let f: fn(_, _) -> _ = <Vec<u8>>::push; r.op(VEC_PUSH, f) }
    { let f: fn(_) -> _ = <Vec<u8>>::len; r.op(VEC_LEN, f) }
    { let f: fn(_) -> _ = <Vec<u8>>::pop; r.op(VEC_POP, f) }
    { let f: fn(_) -> _ = |v: &'static Vec<u8>| v.iter(); r.op(VEC_ITER, f) }
    { let f: fn(_) -> _ = <std::slice::Iter<'static, u8> as Iterator>::next; r.op(ITER_NEXT, f) }
    { let f: fn(_) -> _ = |v: &'static mut Vec<u8>| v.drain(..); r.op(VEC_DRAIN, f) }
    { let f: fn(_) -> _ = |v: &'static mut Vec<u8>| v; r.op(VEC_AS_MUT, f) }
    { let f: fn(_) -> _ = <Vec<u8>>::as_mut_slice; r.op(VEC_AS_MUT_SLICE, f) }
    { let f: fn(_) -> _ = <[u8]>::len; r.op(SLICE_LEN, f) }
    { let f: fn(_) -> _ = <[u8]>::sort; r.op(SLICE_SORT, f) }
    { let f: fn(_) -> _ = |v: Vec<u8>| v.iter().map(|n| u64::from(*n)).sum::<u64>(); r.op(VEC_SUM, f) }
}

fn drops_and_panics(r: &mut Registry) {
    { let f: fn(_) -> _ = Loud; r.op(LOUD_NEW, f) }
    { let f: fn() -> _ = take_log; r.op(LOUD_LOG, f) }
    { let f: fn(_, _) -> _ = consume_and_panic; r.op(LOUD_CONSUME_AND_PANIC, f) }
    { let f: fn(_) -> _ = |n: u8| -> u8 { panic!("boom {n}") }; r.op(PANIC, f) }
    { let f: fn() -> _ = || std::panic::catch_unwind(|| { panic!("inner") }).is_err(); r.op(CATCH_PANIC, f) }
    { let f: fn() -> u8 = || std::panic::resume_unwind(Box::new("unseen")); r.op(RESUME_UNSEEN, f) }
    { let f: fn() -> u8 = || { let _ = std::panic::catch_unwind(|| { panic!("inner") }); std::panic::resume_unwind(Box::new(5u8)) }; r.op(CATCH_THEN_RESUME, f) }
    { let f: fn() -> _ = || std::panic::set_hook(Box::new(|_| ())); r.op(SET_HOOK, f) }
    { let f: fn() -> _ = || std::thread::spawn(|| panic!("elsewhere")).join().is_err(); r.op(PANIC_ON_THREAD, f) }
    { let f: fn() -> _ = || Marker; r.op(MARKER_NEW, f) }
    { let f: fn(_) -> _ = |_: &'static Marker| true; r.op(MARKER_CHECK, f) }
    { let f: fn(_) -> _ = Wide; r.op(WIDE_NEW, f) }
    { let f: fn(_) -> _ = Wide::check; r.op(WIDE_CHECK, f) }
}

fn callbacks(r: &mut Registry) {
    { let f: fn(_) -> _ = |cb: Cb| cb.call::<_, u8>(()); r.op(CALL_NO_ARGS, f) }
    { let f: fn(_, _) -> _ = |cb: Cb, n: u8| cb.call::<_, u8>((n,)); r.op(CALL_U8, f) }
    { let f: fn(_) -> _ = |cb: Cb| cb.call::<_, u8>(()) + cb.call::<_, u8>(()); r.op(CALL_TWICE, f) }
    { let f: fn(_) -> _ = |cb: Cb| cb.call::<_, ()>(()); r.op(CALL_UNIT, f) }
    { let f: fn(_, _) -> _ = |cb: Cb, loud: Loud| cb.call::<_, ()>((loud,)); r.op(CALL_WITH_LOUD, f) }
    { let f: fn(_, _) -> _ = |cb: Cb, n: u8| if n == 0 { 0 } else { 1 + cb.call::<_, u8>((cb, n - 1)) }; r.op(CALL_WITH_ITSELF, f) }
    { let f: fn(_) -> _ = |cb: Cb| cb.call::<_, u8>((cb,)); r.op(CALL_WITHOUT_END, f) }
    { let f: fn(_) -> _ = |cb: Cb| std::thread::spawn(move || cb.call::<_, u8>(())).join().is_err(); r.op(CALL_ON_THREAD, f) }
    { let f: fn(_) -> _ = |cb: Cb| cb.call::<_, Loud>(()); r.op(CALL_RETURNING_LOUD, f) }
    { let f: fn(_) -> _ = |cb: Cb| std::panic::catch_unwind(move || cb.call::<_, u8>(())).is_err(); r.op(CALL_CAUGHT, f) }
    { let f: fn(_) -> _ = |cb: Cb| Box::new(move || cb.call::<_, u8>(())) as Box<dyn Fn() -> u8>; r.op(KEEP_CALLBACK, f) }
    { let f: fn(_) -> _ = |kept: &'static Box<dyn Fn() -> u8>| kept(); r.op(CALL_KEPT, f) }
    { let f: fn(_, _) -> _ = |v: &'static mut Vec<u8>, cb: Cb| v.retain(move |a: &u8| cb.call((a,))); r.op(RETAIN, f) }
    { let f: fn(_) -> _ = |n: &'static u8| n % 2 == 1; r.op(IS_ODD, f) }
    { let f: fn(_, _) -> _ = u8::wrapping_add; r.op(ADD, f) }
    { let f: fn(_) -> _ = |n: &'static u8| *n; r.op(DEREF, f) }
    { let f: fn() -> _ = || 1u8; r.op(ONE, f) }
    { let f: fn(_) -> _ = str::len; r.op(STR_LEN, f) }
    { let f: fn(_) -> _ = str::trim; r.op(STR_TRIM, f) }
    { let f: fn(_, _) -> _ = |text: &str, n: u8| text.repeat(n.into()); r.op(STR_REPEAT, f) }
    { let f: fn(_) -> _ = String::len; r.op(STRING_LEN, f) }
}

fn deaths(r: &mut Registry) {
    { let f: fn() -> () = || std::process::abort(); r.op(ABORT, f) }
    { let f: fn(_) -> _ = |signal: i32| unsafe { send_to_itself(signal) }; r.op(RAISE, f) }
    { let f: fn(_) -> () = |n: i32| std::process::exit(n); r.op(EXIT, f) }
    { let f: fn(_) -> _ = <Vec<u8>>::with_capacity; r.op(HOG, f) }
    { let f: fn(_) -> () = compare; r.op(COMPARE, f) }
    { let f: fn(_) -> _ = overflow_stack; r.op(OVERFLOW_STACK, f) }
    { let f: fn(_) -> _ = spin; r.op(SPIN, f) }
    { let f: fn(_) -> _ = panic_below; r.op(PANIC_BELOW, f) }
}

unsafe extern "C" {
    fn __sanitizer_cov_trace_const_cmp4(a: u32, b: u32);
    fn __sanitizer_cov_trace_switch(value: u64, cases: *const u64);
}

/// As code does that was compiled to tell what it compares.
fn compare(n: usize) {
    let cases = [1, 8, 7];
    for number in 0..n as u32 {
        unsafe {
            match number % 2 {
                0 => __sanitizer_cov_trace_const_cmp4(7, number),
                _ => __sanitizer_cov_trace_switch(u64::from(number), cases.as_ptr()),
            }
        }
    }
}

/// At one place, which so many calls of itself lead to.
fn panic_below(n: u64) -> u64 {
    assert!(n > 0, "at the bottom");
    std::hint::black_box(panic_below(std::hint::black_box(n - 1))) + 1
}

fn overflow_stack(n: u64) -> u64 {
    let room = std::hint::black_box([n; 64]);
    overflow_stack(n + 1) + room[n as usize % 64]
}

unsafe extern "C" {
    #[link_name = "raise"]
    fn send_to_itself(signal: i32) -> i32;
}

fn spin(n: u64) -> u64 {
    let mut turns = n;
    while std::hint::black_box(true) {
        turns = turns.wrapping_add(1);
    }
    turns
}

fn outside(r: &mut Registry) {
    { let f: fn() -> _ = || (0..50u8).collect::<std::collections::HashSet<u8>>().into_iter().collect::<Vec<u8>>(); r.op(HASH_ORDER, f) }
    { let f: fn() -> _ = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos() as u64; r.op(DATE, f) }
    { let f: fn() -> _ = || format!("{:?}", Instant::now()); r.op(UPTIME, f) }
    { let f: fn() -> _ = sleep_advances; r.op(SLEEP_ADVANCES, f) }
    { let f: fn() -> _ = wait_times_out; r.op(WAIT_TIMES_OUT, f) }
    { let f: fn() -> _ = receive_in_time; r.op(RECEIVE_IN_TIME, f) }
    { let f: fn() -> _ = park_times_out; r.op(PARK_TIMES_OUT, f) }
    { let f: fn() -> _ = raw_random; r.op(RAW_RANDOM, f) }
}

fn sleep_advances() -> bool {
    let start = Instant::now();
    std::thread::sleep(Duration::from_millis(3));
    start.elapsed() >= Duration::from_millis(3) && start.elapsed() < Duration::from_millis(4)
}

fn wait_times_out() -> bool {
    let start = Instant::now();
    let (mutex, condvar) = (Mutex::new(()), Condvar::new());
    let guard = mutex.lock().unwrap();
    let (_guard, result) = condvar.wait_timeout_while(guard, Duration::from_millis(3), |_| true).unwrap();
    result.timed_out() && start.elapsed() >= Duration::from_millis(3) && start.elapsed() < Duration::from_secs(1)
}

fn receive_in_time() -> bool {
    let (sender, receiver) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(2));
        sender.send(7u8).unwrap();
    });
    let received = receiver.recv_timeout(Duration::from_secs(100));
    thread.join().unwrap();
    received == Ok(7)
}

fn park_times_out() -> bool {
    let start = Instant::now();
    std::thread::park_timeout(Duration::from_millis(2));
    start.elapsed() >= Duration::from_millis(2)
}

unsafe extern "C" {
    fn syscall(number: isize, ...) -> isize;
}

fn raw_random() -> u64 {
    let number: isize = if cfg!(target_arch = "x86_64") { 318 } else { 278 };
    let mut bytes = [0u8; 8];
    assert_eq!(unsafe { syscall(number, bytes.as_mut_ptr(), 8usize, 0u32) }, 8);
    u64::from_le_bytes(bytes)
}

fn looks(r: &mut Registry) {
    { let f: fn() -> _ = || BadDebug; r.op(BAD_DEBUG_NEW, f) }
    { let f: fn() -> _ = || EndlessDebug; r.op(ENDLESS_DEBUG_NEW, f) }
    { let f: fn() -> _ = || Opaque; r.op(OPAQUE_NEW, f) }
    { let f: fn(_) -> _ = |n: u8| if n % 2 == 0 { Ok(n / 2) } else { Err("odd") }; r.op(TRY_HALVE, f) }
    { let f: fn(_) -> _ = option_unwrap(result_of({ let f: fn(_) -> _ = <Vec<u8>>::pop; f })); r.op(UNWRAP_POPPED, f); r.unwraps(UNWRAP_POPPED) }
    { let f: fn(_) -> _ = |n: u8| Err::<u8, Loud>(Loud(n)); r.op(REFUSE_LOUDLY, f) }
    { let f: fn(_) -> _ = result_unwrap(named::<Result<u8, Loud>>()); r.op(UNWRAP_LOUD, f); r.unwraps(UNWRAP_LOUD) }
}

fn tracked(r: &mut Registry) {
    { let f: fn(_) -> _ = Tracked::new; r.op(TRACKED_NEW, f) }
    { let f: fn(_) -> _ = |t: &'static Tracked| unsafe { std::ptr::read(t) }; r.op(TRACKED_DUPLICATE, f) }
    { let f: fn(_, _) -> _ = |a: &'static Tracked, b: &'static Tracked| a == b; r.op(TRACKED_EQUAL, f) }
    { let f: fn(_) -> _ = std::mem::forget::<Tracked>; r.op(TRACKED_FORGET, f) }
    { let f: fn(_) -> _ = keep; r.op(TRACKED_KEEP, f) }
    { let f: fn(_) -> _ = |t: Tracked| std::thread::spawn(move || t == Tracked::new(1)).join().unwrap(); r.op(TRACKED_ON_THREAD, f) }
    { let f: fn(_) -> _ = |n: usize| vec![Tracked::new(0); n]; r.op(TRACKED_MANY, f) }
    { let f: fn() -> _ = || unsafe { std::mem::zeroed::<Tracked>() }; r.op(TRACKED_ZEROED, f) }
}

/// Drops what the program before kept.
fn keep(tracked: Tracked) {
    static KEPT: Mutex<Option<Tracked>> = Mutex::new(None);
    *KEPT.lock().unwrap() = Some(tracked);
}

fn types(r: &mut Registry) {
    { let f: fn() -> _ = <Vec<u8>>::new; probe!(r, result_of(f)) }
    { let f: fn(_, _) -> _ = <Vec<u8>>::push; probe!(r, arg0_of(f)) }
    { let f: fn(_) -> _ = <Vec<u8>>::len; probe!(r, arg0_of(f)) }
    { let f: fn(_) -> _ = <Vec<u8>>::pop; probe!(r, result_of(f)) }
    { let f: fn(_) -> _ = |v: &'static Vec<u8>| v.iter(); probe!(r, result_of(f)) }
    { let f: fn(_) -> _ = <std::slice::Iter<'static, u8> as Iterator>::next; probe!(r, arg0_of(f)) }
    { let f: fn(_) -> _ = <std::slice::Iter<'static, u8> as Iterator>::next; probe!(r, result_of(f)) }
    { let f: fn(_) -> _ = |v: &'static mut Vec<u8>| v.drain(..); probe!(r, result_of(f)) }
    { let f: fn(_) -> _ = <[u8]>::sort; probe!(r, arg0_of(f)) }
    { let f: fn(_) -> _ = Loud; probe!(r, result_of(f)) }
    { let f: fn(_) -> _ = |_: &'static Marker| true; probe!(r, target_of(arg0_of(f))) }
    { let f: fn(_) -> _ = |_: &'static Marker| true; probe!(r, arg0_of(f)) }
    { let f: fn(_) -> _ = Wide::check; probe!(r, arg0_of(f)) }
    { let f: fn(_) -> _ = Wide; probe!(r, result_of(f)) }
    { let f: fn(_) -> _ = |n: u8| if n % 2 == 0 { Ok(n / 2) } else { Err("odd") }; probe!(r, result_of(f)) }
    { let f: fn(_) -> _ = |kept: &'static Box<dyn Fn() -> u8>| kept(); probe!(r, arg0_of(f)) }
    probe!(r, named::<&'static u8>());
    probe!(r, named::<Tracked>());
    probe!(r, named::<&'static Tracked>());
    probe!(r, named::<&'static String>());
    probe!(r, named::<BadDebug>());
    probe!(r, named::<EndlessDebug>());
    probe!(r, named::<Result<u8, Loud>>());
    probe!(r, named::<f32>());
    probe!(r, named::<std::rc::Rc<u8>>());
}
