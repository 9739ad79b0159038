// SPDX-License-Identifier: Apache-2.0
//! Safe programs that try to break a part of the crate. Valgrind and the sanitizers run them, too.
#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe};

use tvm_ffi::extra::structural;
use tvm_ffi::extra::structural_mutate::{structural_mutate, MutateContext};
use tvm_ffi::extra::structural_visit::{structural_walk, StructuralView, WalkOrder, WalkResult};
use tvm_ffi::object::{ObjectRef, ObjectRefCore};
use tvm_ffi::*;

/// Return a text that is an object on the heap.
fn text(i: i64) -> String {
    String::from(format!("the text with the number {i}"))
}

fn panics(body: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(body)).is_err()
}

// ---------------------------------------------------------------- destructors

thread_local! {
    static KEPT: RefCell<Option<Object>> = const { RefCell::new(None) };
    static WEAK: RefCell<Option<ObjectWeak<HeaderObj>>> = const { RefCell::new(None) };
    static LIST: RefCell<List<Any>> = RefCell::new(List::new());
    static DICT: RefCell<Dict<i64, Any>> = RefCell::new(Dict::new());
}

#[rs_class("rust.safe.Header", final)]
pub struct HeaderObj {
    base: Object,
    #[reflect]
    text: String,
    items: Array<i64>,
}
def_object_ref!(pub Header, ObjectRef, HeaderObj);

impl Drop for HeaderObj {
    fn drop(&mut self) {
        let alive = WEAK.with_borrow(|weak| weak.as_ref().is_some_and(|w| w.upgrade().is_some()));
        assert!(!alive, "the object is alive in its destructor");
        KEPT.set(Some(std::mem::take(&mut self.base)));
    }
}

// spec: RUST-R40
#[test]
fn a_destructor_overwrites_the_header() {
    let object = HeaderObj::new(Object::new(), text(1), Array::new(vec![1]));
    let object = ObjectArc::new(object);
    let weak = ObjectArc::downgrade(&object);
    WEAK.set(Some(weak.clone()));
    drop(object);
    assert!(weak.upgrade().is_none());
    WEAK.set(None);
    drop(weak);
    let kept = KEPT.take().unwrap();
    let getter = FieldGetter::new(HeaderObj::type_index(), "text").unwrap();
    assert_eq!(getter.get_any(&kept).unwrap_err().kind(), TYPE_ERROR);
}

/// An object whose destructor changes the containers of the thread.
#[rs_class("rust.safe.Meddler", final)]
pub struct MeddlerObj {
    base: Object,
    text: String,
}
def_object_ref!(pub Meddler, ObjectRef, MeddlerObj);

impl Drop for MeddlerObj {
    fn drop(&mut self) {
        LIST.with_borrow(|list| {
            list.clear();
            list.extend((0..20).map(|i| Any::from(text(i)))).unwrap();
        });
        DICT.with_borrow(|dict| {
            drop(dict.clear());
            (0..20).for_each(|i| drop(dict.set(i, Any::from(text(i)))));
        });
    }
}

fn meddler() -> Any {
    Any::from(Meddler::from(MeddlerObj::new(
        Object::new(),
        "a text of the meddler",
    )))
}

// spec: RUST-R40
#[test]
fn a_destructor_changes_the_list_that_drops_the_element() {
    let list = LIST.with_borrow(List::clone);
    let operations: [fn(&List<Any>); 9] = [
        |list| list.clear(),
        |list| drop(list.pop()),
        |list| drop(list.remove(0)),
        |list| drop(list.set(1, Any::from(1))),
        |list| list.truncate(1),
        |list| drop(list.remove_range(0, 2)),
        |list| list.resize(1, Any::from(2)).unwrap(),
        |list| list.iter().for_each(|_| list.truncate(0)),
        |list| {
            list.iter()
                .take(50)
                .for_each(|_| list.push(Any::from(3)).unwrap())
        },
    ];
    for operation in operations {
        list.clear();
        list.clear();
        list.extend([meddler(), meddler(), meddler()]).unwrap();
        if list.len() == 3 {
            operation(&list);
        }
        assert!(list.iter().take(100).all(|element| element.is_ok()));
    }
    list.clear();
}

// spec: RUST-R40
#[test]
fn a_destructor_changes_the_dict_that_drops_the_value() {
    let dict = DICT.with_borrow(Dict::clone);
    let operations: [fn(&Dict<i64, Any>); 4] = [
        |dict| dict.clear().unwrap(),
        |dict| drop(dict.remove(&1)),
        |dict| dict.set(1, Any::from(1)).unwrap(),
        |dict| dict.values().for_each(|_| drop(dict.remove(&1))),
    ];
    for operation in operations {
        dict.clear().unwrap();
        dict.clear().unwrap();
        dict.set(1, meddler()).unwrap();
        dict.set(2, meddler()).unwrap();
        operation(&dict);
        assert!(dict.values().all(|value| value.is_ok()));
    }
    dict.clear().unwrap();
    dict.clear().unwrap();
}

// ---------------------------------------------------------------- callbacks

// spec: RUST-R40
#[test]
fn a_closure_drops_the_last_reference_to_itself() {
    let list: List<Function> = List::new();
    let holder = ObjectRef::from(list.clone());
    let name = "rust.safe.self";
    let index = MeddlerObj::type_index();
    reflection::set_type_attr(index, name, &Any::from(holder)).unwrap();
    let kept = text(7);
    list.push(Function::from_typed(move || {
        let list: List<Function> = reflection::get_type_attr(index, name)
            .unwrap()
            .try_into()
            .unwrap();
        list.clear();
        Ok(kept.clone())
    }))
    .unwrap();
    let result = list.get(0).unwrap().call_tuple(()).unwrap();
    assert_eq!(result.try_as::<String>(), Some(text(7)));
    assert!(list.is_empty());
}

#[rs_class("rust.safe.Node", s_eq_hash_kind = "TreeNode")]
pub struct NodeObj {
    base: Object,
    #[reflect]
    text: String,
    #[reflect]
    parts: List<Any>,
}
def_object_ref!(pub Node, ObjectRef, NodeObj);

fn node(i: i64, parts: impl IntoIterator<Item = Any>) -> Node {
    NodeObj::new(
        Object::new(),
        text(i),
        parts.into_iter().collect::<List<Any>>(),
    )
    .into()
}

// spec: RUST-R40
#[test]
fn a_walk_drops_the_nodes_that_it_borrows() {
    let root = node(0, (1..20).map(|i| Any::from(node(i, []))));
    let parts = root.parts.clone();
    let mut seen = 0;
    let visit = |node: &NodeObj| {
        parts.clear();
        parts.push(Any::from(text(99))).unwrap();
        seen += usize::from(node.text.as_str().starts_with("the text") && node.parts.len() < 2);
        WalkResult::Advance
    };
    structural_walk(&root, visit, WalkOrder::PreOrder).unwrap();
    assert!(seen >= 1);
    let root = node(0, (1..20).map(|i| Any::from(node(i, []))));
    let parts = root.parts.clone();
    let visit = |view: &StructuralView| {
        if let Some(node) = view.as_node::<NodeObj>() {
            parts.clear();
            assert!(node.text.as_str().starts_with("the text"));
        }
        WalkResult::Advance
    };
    structural_walk(&root, visit, WalkOrder::PostOrder).unwrap();
}

// spec: RUST-R40
#[test]
fn a_walk_starts_another_walk_of_the_same_value() {
    let root = node(0, (1..4).map(|i| Any::from(node(i, []))));
    let mut count = 0;
    let outer = |_: &NodeObj| {
        let inner = |_: &NodeObj| {
            count += 1;
            WalkResult::Advance
        };
        structural_walk(&root, inner, WalkOrder::PreOrder).unwrap();
        WalkResult::Advance
    };
    structural_walk(&root, outer, WalkOrder::PreOrder).unwrap();
    assert_eq!(count, 16);
}

// spec: RUST-R40
#[test]
fn a_mutation_does_not_change_what_the_callback_keeps() {
    let kept = RefCell::new(Vec::new());
    let root = Any::from(node(0, [Any::from(node(1, [Any::from(1_i64)]))]));
    let mutate = |view: &StructuralView, context: &mut MutateContext<'_>| {
        if let Some(number) = view.cast::<i64>() {
            return Ok(Any::from(number + 1));
        }
        kept.borrow_mut().push(view.to_owned());
        let result = context.maybe_inplace_mutate(view.to_owned())?;
        Ok(result)
    };
    drop(structural_mutate(root, mutate));
    for value in kept.take() {
        if let Some(node) = value.try_as::<Node>() {
            let first = node.parts.get(0).unwrap();
            assert!(first.try_as::<i64>().is_none_or(|number| number == 1));
        }
    }
}

// spec: RUST-R40
#[test]
fn a_panic_in_any_callback_leaves_the_values_intact() {
    let root = node(0, (1..4).map(|i| Any::from(node(i, []))));
    let bad: fn(&NodeObj) -> WalkResult = |_| panic!("walk");
    assert!(panics(|| drop(structural_walk(
        &root,
        bad,
        WalkOrder::PreOrder
    ))));
    let bad = |_: Node, _: &mut MutateContext<'_>| -> Result<Any> { panic!("mutate") };
    assert!(panics(|| drop(structural_mutate(
        Any::from(root.clone()),
        bad
    ))));
    assert_eq!(root.parts.len(), 3);

    let bad = (0..10_i64).map(|i| if i < 5 { text(i) } else { panic!("iterator") });
    let list: List<String> = List::new();
    assert!(panics(|| drop(list.extend(bad.clone()))));
    assert!(panics(|| drop(bad.clone().collect::<Array<String>>())));
    assert!(panics(|| drop(
        bad.clone()
            .map(|t| (t.clone(), t))
            .collect::<Map<String, String>>()
    )));
    assert!(panics(|| drop(
        bad.map(|t| (t.clone(), t))
            .collect::<Dict<String, String>>()
    )));
    assert!(list.is_empty());

    let bad =
        Function::from_typed(|_: RValueRef<Node>, _: String| -> Result<()> { panic!("call") });
    let error = bad.call_tuple((RValueRef::new(root), text(1))).unwrap_err();
    assert!(error.message().contains("call"));
}

// spec: RUST-R40
#[test]
fn an_iterator_changes_the_container_that_it_extends() {
    let list: List<String> = [text(0)].into_iter().collect();
    let feed = (0..10).map(|i| {
        list.clear();
        list.push(text(i)).unwrap();
        text(i)
    });
    list.extend(feed).unwrap();
    assert_eq!(list.len(), 11);
    let array: Array<String> = list
        .iter()
        .map(|t| {
            list.truncate(5);
            t.unwrap()
        })
        .collect();
    assert_eq!((array.len(), list.len()), (5, 5));
}

// spec: RUST-R40
#[test]
fn a_hook_of_a_key_changes_the_dict() {
    let index = KeyObj::type_index();
    let dict: Dict<Any, Any> = (0..10_i64).map(|i| (Any::from(i), Any::from(i))).collect();
    let holder = ObjectRef::from(dict.clone());
    reflection::set_type_attr(index, "rust.safe.dict", &Any::from(holder)).unwrap();
    for i in 0..5 {
        let key = Any::from(Key::from(KeyObj::new(Object::new(), i)));
        drop(dict.set(key.clone(), Any::from(text(i))));
        drop(dict.get(&key));
        drop(dict.remove(&key));
    }
    assert!(dict.len() >= 40, "the hook has run");
    assert!(dict.values().all(|value| value.is_ok()));
}

/// A key whose hash changes the dict.
#[rs_class("rust.safe.Key", final, reflection = key_hooks)]
pub struct KeyObj {
    base: Object,
    number: i64,
}
def_object_ref!(pub Key, ObjectRef, KeyObj);

fn key_hooks(def: &mut ObjectDef<KeyObj>) {
    let hash = Function::from_typed(|this: Key| {
        let dict = reflection::get_type_attr(KeyObj::type_index(), "rust.safe.dict");
        let dict = dict.and_then(|dict| Dict::<Any, Any>::try_from(dict).ok());
        if let Some(dict) = dict {
            drop(dict.clear());
            (0..40).for_each(|i| drop(dict.set(Any::from(i), Any::from(text(i)))));
        }
        Ok(this.number % 2)
    });
    def.type_attr("__any_hash__", hash);
    let equal = Function::from_typed(|a: Key, b: Key| Ok(a.number == b.number));
    def.type_attr("__any_equal__", equal);
}

// ---------------------------------------------------------------- values

// spec: RUST-R40
#[test]
fn an_object_without_fields_is_an_error() {
    let whole = Any::from(node(1, []));
    let json = structural::to_json_graph_str(&whole, &Any::default()).unwrap();
    for field in ["text", "parts"] {
        let damaged = json.as_str().replace(&format!("\"{field}\""), "\"other\"");
        assert_ne!(damaged, json.as_str());
        assert!(
            structural::from_json_graph_str(&damaged).is_err(),
            "{damaged}"
        );
    }
    assert!(structural::from_json_graph_str(json.as_str()).is_ok());
}

// spec: RUST-R40
#[test]
fn an_object_whose_constructor_has_not_set_its_fields_is_not_read() {
    let create = Function::from_type_attr(NodeObj::type_index(), "__ffi_new__").unwrap();
    let empty = create.call_tuple(()).unwrap();
    let error = Node::try_from(empty.clone()).err().unwrap();
    assert_eq!(error.kind(), VALUE_ERROR);
    assert_eq!(
        error.message(),
        "an object of `rust.safe.Node` has a field of `rust.safe.Node` without a value: its \
         constructor has not set all fields yet"
    );
    let length = Function::from_typed(|node: Node| Ok(node.parts.len()));
    assert!(length.call_tuple((&empty,)).is_err());
    assert!(ObjectRef::try_from(empty.clone())
        .unwrap()
        .as_node::<NodeObj>()
        .is_none());
    assert!(Option::<Node>::try_from(empty.clone()).is_err());
    assert!(match_any! { empty { Node(_node) => false, _ => true } });
    let key = Function::from_type_attr(KeyObj::type_index(), "__ffi_new__").unwrap();
    let key = Key::try_from(key.call_tuple(()).unwrap()).unwrap();
    assert_eq!(key.number, 0, "each value of a number is valid");
}

// spec: RUST-R40
#[test]
fn a_value_of_another_class_is_not_read() {
    let key = Any::from(Key::from(KeyObj::new(Object::new(), 1)));
    let text_of = FieldGetter::new(NodeObj::type_index(), "text").unwrap();
    let key = Key::try_from(key).unwrap();
    assert_eq!(text_of.get_any(&*key).unwrap_err().kind(), TYPE_ERROR);
    assert_eq!(
        text_of.get_any(&Object::new()).unwrap_err().kind(),
        TYPE_ERROR
    );
    let on_stack = NodeObj::new(Object::new(), text(1), List::new());
    assert_eq!(text_of.get_any(&on_stack).unwrap_err().kind(), TYPE_ERROR);
    let length = Function::from_typed(|node: Node| Ok(node.parts.len()));
    assert_eq!(length.call_tuple((&key,)).unwrap_err().kind(), TYPE_ERROR);
    assert!(Variant::<(String, Node)>::try_from(Any::from(key)).is_err());
}

// spec: RUST-R40
#[test]
fn a_moved_argument_is_used_once() {
    let take = Function::from_typed(|node: RValueRef<Node>| Ok(node.into_inner().text.clone()));
    let both = Function::from_packed(move |args| {
        let first = take.call_packed(&[args[0], args[0]]);
        let second = take.call_packed(&[args[0]]);
        Ok(Any::from(
            i64::from(first.is_err()) + i64::from(second.is_ok()),
        ))
    });
    let moved = RValueRef::new(node(1, []));
    both.call_packed(&[(&moved).into()]).unwrap();
}

// spec: RUST-R40
#[test]
fn sizes_that_do_not_fit_are_errors() {
    let list: List<i64> = List::new();
    assert!(list.reserve(usize::MAX).is_err() && list.reserve(usize::MAX / 16).is_err());
    list.push(1).unwrap();
    assert_eq!(list.len(), 1);
    assert!(Tensor::from_slice(&[1.0_f32], &[i64::MAX, i64::MAX]).is_err());
    assert!(Tensor::from_slice(&[1.0_f32], &[-1]).is_err());
    let tensor = Tensor::from_slice(&[1.0_f32, 2.0], &[2]).unwrap();
    assert!(tensor.as_cells::<f64>().is_err() && tensor.as_cells::<i32>().is_err());
    let strided = tensor.strided::<f32>().unwrap();
    assert!(strided.get(&[2]).is_err() && strided.get(&[usize::MAX]).is_err());
    assert!(strided.get(&[0, 0]).is_err() && strided.get(&[]).is_err());
}

// spec: RUST-R40
#[test]
fn a_value_that_contains_itself_ends_in_an_error() {
    let list: List<Any> = List::new();
    list.push(Any::from(list.clone())).unwrap();
    let value = Any::from(list.clone());
    assert!(structural::structural_hash(&value).is_err());
    drop((
        structural::structural_equal(&value, &value),
        structural::recursive_hash(&value),
    ));
    assert!(!format!("{value:?}").is_empty());
    let typed = List::<List<Any>>::try_from(value).unwrap();
    assert_eq!(typed.get(0).unwrap().len(), 1);
    list.clear();
}

// spec: RUST-R40
#[test]
fn a_long_chain_of_causes_is_printed_and_dropped() {
    let mut error = Error::new(VALUE_ERROR, "the first", "");
    for i in 0..100_000 {
        let message = format!("level {i}");
        error =
            Error::new_with_cause_and_extra_context(VALUE_ERROR, &message, "", Some(&error), None);
    }
    assert!(format!("{error}").contains("level 99999"));
    assert!(!format!("{error:?}").is_empty());
}

// spec: RUST-R40
#[test]
fn threads_end_with_objects_in_thread_local_variables() {
    std::thread::spawn(|| {
        LIST.with_borrow(|list| list.extend([meddler(), meddler()]).unwrap());
        DICT.with_borrow(|dict| dict.set(1, meddler()).unwrap());
        KEPT.set(Some(Object::new()));
    })
    .join()
    .unwrap();
}

/// A class with a hook that returns an object of another class.
#[repr(C)]
#[derive(derive::Object)]
#[type_key = "rust.safe.Copied"]
#[type_register]
#[type_reflection(bad_copy)]
struct CopiedObj {
    base: Object,
    #[reflect]
    text: String,
}

fn bad_copy(def: &mut ObjectDef<CopiedObj>) {
    let copy = Function::from_typed(|_: ObjectRef| Ok(Array::<i64>::default()));
    def.type_attr("__ffi_shallow_copy__", copy);
}

// spec: RUST-R40
#[test]
fn a_hook_returns_an_object_of_another_class() {
    assert!(panics(|| assert_ne!(CopiedObj::type_index(), 0)));
    #[repr(C)]
    #[derive(derive::Object)]
    #[type_key = "rust.safe.Plain"]
    #[type_register]
    struct PlainObj {
        base: Object,
        text: String,
    }
    def_object_ref!(Plain, ObjectRef, PlainObj);
    let index = PlainObj::type_index();
    let copy = Function::from_typed(|_: ObjectRef| Ok(Array::<i64>::default()));
    let plain = PlainObj {
        base: Object::new(),
        text: text(1),
    };
    let plain = ObjectRef::from(Plain::from(plain));
    reflection::set_type_attr(index, "__ffi_shallow_copy__", &Any::from(copy)).unwrap();
    assert!(structural::deep_copy(&plain).is_err());
    assert!(plain
        .as_node::<PlainObj>()
        .is_some_and(|plain| plain.text == text(1)));
}

// spec: RUST-R40
#[cfg(not(feature = "compat"))]
#[test]
fn an_attribute_that_the_runtime_calls_is_not_an_address() {
    let address = Any::from(std::ptr::dangling_mut::<std::ffi::c_void>());
    for name in ["__any_hash__", "__s_visit__", "__rust_locks__"] {
        let error = reflection::set_type_attr(KeyObj::type_index(), name, &address).unwrap_err();
        assert_eq!(error.kind(), TYPE_ERROR);
    }
}

// spec: RUST-R40
#[test]
fn the_definition_of_a_class_is_not_replaced() {
    let index = NodeObj::type_index();
    assert!(reflection::set_type_attr(index, "__ffi_shallow_copy__", &Any::from(1)).is_err());
    let copy = structural::deep_copy(&Any::from(node(1, [Any::from(text(2))]))).unwrap();
    assert_eq!(copy.try_as::<Node>().unwrap().parts.len(), 1);
}
