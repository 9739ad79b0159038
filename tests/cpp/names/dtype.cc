// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/dtype.h>

#include <ostream>
#include <string>

#include "use.h"

namespace ffi = tvm::ffi;

HOLDS(ffi::kDLExtCustomBegin == 129 && std::is_enum_v<ffi::DLExtDataTypeCode>);
HAS_TYPE(ffi::detail::DLDataTypeCodeAsCStr(The<DLDataTypeCode>()), const char*);
HAS_TYPE(ffi::StringToDLDataType(The<const ffi::String>()), DLDataType);
HAS_TYPE(ffi::DLDataTypeToString(The<DLDataType>()), ffi::String);
HAS_TYPE(ffi::DTypeIsFloat(The<DLDataType>()), bool);
HAS_TYPE(ffi::DTypeIsInt(The<DLDataType>()), bool);
HAS_TYPE(ffi::DTypeIsBool(The<DLDataType>()), bool);
HAS_TYPE(ffi::DTypeAbbrev(The<DLDataType>()), std::string);
HOLDS(ffi::TypeTraits<DLDataType>::field_static_type_index == kTVMFFIDataType);
HAS_TYPE(The<std::ostream>() << The<DLDataType>(), std::ostream&);
HAS_TYPE(::operator==(The<const DLDataType>(), The<const DLDataType>()), bool);
HAS_TYPE(::operator!=(The<const DLDataType>(), The<const DLDataType>()), bool);
