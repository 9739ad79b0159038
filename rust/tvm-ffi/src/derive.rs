// SPDX-License-Identifier: Apache-2.0
//! Derive macros for object structs and for references to them.
//!
//! The shortest way to define a class is [`rs_class`](crate::rs_class):
//!
//! ```
//! use tvm_ffi::object::ObjectRef;
//! use tvm_ffi::{def_object_ref, rs_class, Object, ObjectCore, ObjectDef, Result, String, Writable};
//!
//! /// A point with a label.
//! #[rs_class("my_library.Point", s_eq_hash_kind = "TreeNode", reflection = point_methods)]
//! pub struct PointObj {
//!     base: Object,
//!     #[reflect(writable)]
//!     x: Writable<i64>,
//!     #[reflect(writable, default = 0)]
//!     y: Writable<i64>,
//!     #[reflect(kw_only, default = "a point")]
//!     label: String,
//! }
//!
//! def_object_ref!(
//!     /// A reference to a point.
//!     pub Point,
//!     ObjectRef,
//!     PointObj
//! );
//!
//! fn point_methods(def: &mut ObjectDef<PointObj>) {
//!     def.def("scaled", scaled, "Return a multiple of the point.")
//!         .arg_names("factor");
//! }
//!
//! fn scaled(this: Point, factor: i64) -> Result<Point> {
//!     let (x, y) = (this.x.get() * factor, this.y.get() * factor);
//!     Ok(PointObj::new(Object::new(), x, y, this.label.clone()).into())
//! }
//!
//! // Python sees the class when the type is registered: `Point(1, y=2, label="p").scaled(factor=3)`.
//! PointObj::type_index();
//! # let point = PointObj::new(Object::new(), 1, 2, "p").into();
//! # assert_eq!(scaled(point, 3).unwrap().y.get(), 6);
//! ```
//!
//! Other languages assign a field with the flag `writable` in place, also while Rust code uses the
//! object. Such a field is a [`Writable`](crate::Writable), which locks the field and copies its
//! value; with the feature `compat`, it can have any type. Any thread can get an object; therefore
//! the members that are not reflected are `Send` and `Sync`, or hold values of this crate.
//!
//! With the derive macros, you decide which fields are reflected, and whether this crate registers
//! the type. The following struct has the layout of a class that the runtime defines:
//!
//! ```
//! use tvm_ffi::derive::{Object, ObjectRef};
//! use tvm_ffi::{Any, Object, ObjectArc};
//!
//! #[repr(C)]
//! #[derive(Object)]
//! #[type_key = "ffi.reflection.AccessStep"]
//! #[type_final]
//! struct StepObj {
//!     base: Object,
//!     kind: i32,
//!     key: Any,
//! }
//!
//! #[repr(C)]
//! #[derive(ObjectRef, Clone)]
//! struct Step {
//!     data: ObjectArc<StepObj>,
//! }
//!
//! let step = Any::from(tvm_ffi::reflection::AccessStep::array_item(3));
//! let step = Step::try_from(step)?;
//! assert_eq!((step.data.kind, step.data.key.try_as::<i64>()), (1, Some(3)));
//! # Ok::<(), tvm_ffi::Error>(())
//! ```

pub use tvm_ffi_macros::{Object, ObjectRef};
