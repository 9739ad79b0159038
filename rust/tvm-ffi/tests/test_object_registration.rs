// SPDX-License-Identifier: Apache-2.0
//! Tests of the registration of object types.

use std::sync::Barrier;

use tvm_ffi::derive::{Object, ObjectRef};
use tvm_ffi::object::is_instance_of;
use tvm_ffi::{
    call_method, def_object_ref, get_type_attr, Any, AnyView, Function, Object, ObjectArc,
    ObjectCore, ObjectDef, ObjectRefCast, ObjectRefCore, Result, TYPE_ERROR,
};

#[repr(C)]
#[derive(Object)]
#[type_key = "rust_registration.Animal"]
#[type_register]
#[type_child_slots = 2]
struct AnimalObj {
    base: Object,
    legs: i64,
}

#[repr(C)]
#[derive(ObjectRef, Clone)]
struct Animal {
    data: ObjectArc<AnimalObj>,
}

#[repr(C)]
#[derive(Object)]
#[type_key = "rust_registration.Dog"]
#[type_register]
#[type_final]
struct DogObj {
    animal: AnimalObj,
    age: i64,
}

/// A reference struct whose member has no name.
#[repr(C)]
#[derive(ObjectRef, Clone)]
struct Dog(ObjectArc<DogObj>);

fn dog(legs: i64, age: i64) -> Dog {
    let animal = AnimalObj {
        base: Object::new(),
        legs,
    };
    Dog(ObjectArc::new(DogObj { animal, age }))
}

fn panic_text(type_index: fn() -> i32) -> String {
    let panic = std::panic::catch_unwind(type_index).expect_err("a panic");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast_ref::<&str>().expect("a text").to_string(),
    }
}

// spec: RUST-R29
#[test]
fn first_use_registers_the_type_and_its_parent() {
    let dog_index = DogObj::type_index();
    let animal_index = AnimalObj::type_index();
    assert!(animal_index < dog_index, "the parent comes first");
    assert_eq!(DogObj::try_type_index().ok(), Some(dog_index));
    assert_eq!((AnimalObj::TYPE_DEPTH, DogObj::TYPE_DEPTH), (1, 2));
    assert_eq!(dog_index, DogObj::type_index(), "the index is cached");
    assert!(is_instance_of::<AnimalObj>(dog_index));
    assert!(!is_instance_of::<DogObj>(animal_index));
    // The parent has reserved the type indices after its own for derived types, so the two indices
    // are close together.
    assert!(dog_index <= animal_index + 2);
}

// spec: RUST-R29
#[test]
fn threads_agree_about_a_new_type() {
    #[repr(C)]
    #[derive(Object)]
    #[type_key = "rust_registration.Concurrent"]
    #[type_register]
    #[type_s_eq_hash_kind = "TreeNode"]
    struct ConcurrentObj {
        base: Object,
        #[reflect]
        value: i64,
    }
    let start = Barrier::new(8);
    let indices: Vec<i32> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    start.wait();
                    ConcurrentObj::type_index()
                })
            })
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert!(indices
        .iter()
        .all(|index| *index == indices[0] && *index >= 128));
    let object = ConcurrentObj {
        base: Object::new(),
        value: 3,
    };
    let object = ObjectArc::new(object);
    let getter = tvm_ffi::FieldGetter::new(indices[0], "value").unwrap();
    assert_eq!(getter.get::<_, i64>(&*object).unwrap(), 3);
}

// spec: RUST-R29
#[test]
fn unknown_key_without_registration_panics_with_advice() {
    #[repr(C)]
    #[derive(Object)]
    #[type_key = "rust_registration.Missing"]
    struct MissingObj {
        base: Object,
    }
    let expected = "Type key rust_registration.Missing is not registered: load the library that \
                    defines it first, or add #[type_register] if this crate defines it";
    assert_eq!(panic_text(MissingObj::type_index), expected);
    // A failed lookup is not cached: the next call repeats the lookup and panics too.
    assert_eq!(panic_text(MissingObj::type_index), expected);
    let error = MissingObj::try_type_index().unwrap_err();
    assert_eq!((error.kind(), error.message()), (TYPE_ERROR, expected));
    let result: Result<i64> = call_method!(MissingObj, "work");
    assert_eq!(result.unwrap_err().message(), expected);
    let _ = MissingObj {
        base: Object::new(),
    }
    .base;
}

// spec: RUST-R29
#[test]
fn two_structs_may_share_a_key_but_not_with_another_parent() {
    #[repr(C)]
    #[derive(Object)]
    #[type_key = "rust_registration.Dog"]
    struct SameDogObj {
        animal: AnimalObj,
        age: i64,
    }
    #[repr(C)]
    #[derive(Object)]
    #[type_key = "rust_registration.Animal"]
    #[type_register]
    struct OtherObj {
        animal: DerivedObj,
    }
    #[repr(C)]
    #[derive(Object)]
    #[type_key = "rust_registration.Derived"]
    #[type_register]
    struct DerivedObj {
        base: Object,
    }
    let index = DogObj::type_index();
    assert_eq!(SameDogObj::type_index(), index);
    let text = panic_text(OtherObj::type_index);
    assert!(text.contains("rust_registration.Animal"), "{text}");
    let again = panic_text(OtherObj::type_index);
    assert_eq!(text, again, "the failure is kept");
}

// spec: RUST-R29
#[test]
fn duplicate_methods_are_refused() {
    #[repr(C)]
    #[derive(Object)]
    #[type_key = "rust_registration.Twice"]
    #[type_register]
    #[type_reflection(methods)]
    struct TwiceObj {
        base: Object,
    }
    fn methods(def: &mut ObjectDef<TwiceObj>) {
        def.def_static("same", || Ok(1_i64), "")
            .def_static("same", || Ok(2_i64), "");
    }
    let text = panic_text(TwiceObj::type_index);
    assert_eq!(text, "duplicate method `same` of `rust_registration.Twice`");
}

#[test]
fn a_type_may_have_fields_of_its_own_type() {
    #[repr(C)]
    #[derive(Object)]
    #[type_key = "rust_registration.Chain"]
    #[type_register]
    struct ChainObj {
        base: Object,
        #[reflect]
        next: Option<Chain>,
        #[reflect]
        value: i64,
    }
    def_object_ref!(Chain, tvm_ffi::object::ObjectRef, ChainObj);
    let link = |next, value| {
        Chain::from(ChainObj {
            base: Object::new(),
            next,
            value,
        })
    };
    let chain = link(Some(link(None, 2)), 1);
    let next = tvm_ffi::FieldGetter::new(ChainObj::type_index(), "next").unwrap();
    let second: Chain = next.get(&*chain).unwrap();
    assert_eq!(second.value, 2);
    assert_eq!(
        next.get::<_, Option<Chain>>(&*second)
            .unwrap()
            .map(|c| c.value),
        None
    );
}

#[test]
fn static_index_needs_no_registration() {
    #[repr(C)]
    #[derive(Object)]
    #[type_key = "ffi.Shape"]
    #[type_index(tvm_ffi::TypeIndex::kTVMFFIShape)]
    #[type_final]
    struct MyShapeObj {
        base: Object,
        data: *mut std::os::raw::c_void,
        size: usize,
    }
    assert_eq!(MyShapeObj::type_index(), 69);
    const { assert!(MyShapeObj::TYPE_FINAL) };
    let shape = Function::get_global("ffi.Shape").unwrap();
    let shape = shape.call_tuple((3_i64, 4_i64)).unwrap();
    let shape: tvm_ffi::object::ObjectRef = shape.try_into().unwrap();
    let node = shape.as_node::<MyShapeObj>();
    // The class does not register its fields, so they cannot be checked.
    assert_eq!(node.is_some(), cfg!(feature = "compat"));
    if let Some(MyShapeObj { data, size, .. }) = node {
        assert_eq!((*size, data.is_null()), (2, false));
    }
}

#[test]
fn references_convert_and_keep_the_dynamic_type() {
    let dog = dog(4, 7);
    let any = Any::from(dog.clone());
    assert_eq!(any.type_index(), DogObj::type_index());
    let animal: Animal = Animal::try_from(any).unwrap();
    assert_eq!(animal.data.legs, 4);
    assert_eq!(ObjectArc::strong_count(&dog.0), 2);
    let back = animal.clone().try_cast::<Dog>().unwrap();
    assert_eq!((back.0.age, back.0.animal.legs), (7, 4));
    assert!(back.same_as(&dog));

    let plain = Animal {
        data: ObjectArc::new(AnimalObj {
            base: Object::new(),
            legs: 2,
        }),
    };
    let error = plain.try_cast::<Dog>().err().expect("an error");
    assert_eq!(error.kind(), TYPE_ERROR);
    assert_eq!(
        error.message(),
        "Cannot convert from type `rust_registration.Animal` to `rust_registration.Dog`"
    );
    let _ = &animal.data.base;
    assert_eq!(AnyView::from(&animal).type_index(), DogObj::type_index());
}

#[test]
fn finality_is_a_type_attribute_of_reflected_types() {
    #[repr(C)]
    #[derive(Object)]
    #[type_key = "rust_registration.Last"]
    #[type_register]
    #[type_final]
    #[type_s_eq_hash_kind = "UniqueInstance"]
    struct LastObj {
        base: Object,
    }
    let index = LastObj::type_index();
    let is_final = get_type_attr(index, "__ffi_type_final__").unwrap();
    assert_eq!(is_final.try_as::<bool>(), Some(true));
    let _ = LastObj {
        base: Object::new(),
    }
    .base;
    assert!(get_type_attr(index, "__ffi_new__").is_none());
    assert!(get_type_attr(index, "no such attribute").is_none());
}

/// Structs with the type keys of `layouts::a`, but with other layouts.
mod layouts {
    use tvm_ffi::{rs_class, Array, Object};

    pub mod a {
        use super::*;
        #[rs_class("rust_registration.Size")]
        pub struct SizeObj {
            base: Object,
            pub number: i64,
        }
        #[rs_class("rust_registration.Kind")]
        pub struct KindObj {
            base: Object,
            pub number: i64,
        }
        #[repr(C)]
        #[derive(tvm_ffi::derive::Object)]
        #[type_key = "rust_registration.Private"]
        #[type_register]
        pub struct PrivateObj {
            base: Object,
            secret: i64,
        }
        #[rs_class("rust_registration.Same")]
        pub struct SameObj {
            base: Object,
            pub number: i64,
        }
        #[repr(C)]
        #[derive(tvm_ffi::derive::Object)]
        #[type_key = "rust_registration.Hidden"]
        #[type_register]
        pub struct HiddenObj {
            base: Object,
        }
    }

    pub mod b {
        use super::*;
        #[rs_class("rust_registration.Size")]
        pub struct SizeObj {
            base: Object,
            pub number: i64,
            pub more: Array<i64>,
        }
        #[rs_class("rust_registration.Kind")]
        pub struct KindObj {
            base: Object,
            pub elements: Array<i64>,
        }
        #[repr(C)]
        #[derive(tvm_ffi::derive::Object)]
        #[type_key = "rust_registration.Private"]
        #[type_register]
        pub struct PrivateObj {
            base: Object,
            secret: f64,
        }
        #[rs_class("rust_registration.Same")]
        pub struct SameObj {
            base: Object,
            pub number: i64,
        }
        #[repr(C)]
        #[derive(tvm_ffi::derive::Object)]
        #[type_key = "rust_registration.Hidden"]
        #[type_register]
        pub struct HiddenObj {
            base: Object,
            number: i64,
        }
    }
}

#[test]
fn a_type_key_of_objects_with_another_layout_is_refused() {
    use layouts::{a, b};
    let refused = |key: &str, difference: &str| {
        format!(
            "Type key rust_registration.{key} is already registered for objects with another \
             layout: {difference}. Give this struct a key of its own"
        )
    };
    a::SizeObj::type_index();
    let text = panic_text(b::SizeObj::type_index);
    assert_eq!(text, refused("Size", "32 bytes instead of 40"));
    a::KindObj::type_index();
    let text = panic_text(b::KindObj::type_index);
    let difference = "field `number` instead of field `elements`";
    assert_eq!(text, refused("Kind", difference));
    a::HiddenObj::type_index();
    let text = panic_text(b::HiddenObj::type_index);
    assert_eq!(text, refused("Hidden", "24 bytes instead of 32"));
    a::PrivateObj::type_index();
    let text = panic_text(b::PrivateObj::type_index);
    let difference = "{secret: i64 at 24} instead of {secret: f64 at 24}";
    assert_eq!(text, refused("Private", difference));
    // The same layout is accepted: a copy of the library may have registered the type.
    assert_eq!(a::SameObj::type_index(), b::SameObj::type_index());
}
