// SPDX-License-Identifier: Apache-2.0
// Test DLDevice as a value, and device strings.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <cstring>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "caught.h"

namespace {

using namespace tvm::ffi;
using tvm::ffi::detail::TryParseDLDeviceIndex;
using tvm::ffi::detail::TryParseDLDeviceType;
using tvm::ffi::detail::TryStringViewToDLDevice;

/*! \brief Return "TYPE ID" for a device string; return "none" if the text is not a device. */
std::string Parsed(std::string_view text) {
  auto device = TryStringViewToDLDevice(text);
  if (!device.has_value()) return "none";
  return std::to_string(device->device_type) + " " + std::to_string(device->device_id);
}

// spec: G05
TEST(Device, EveryName) {
  std::vector<std::pair<const char*, DLDeviceType>> names = {
      {"cpu", kDLCPU},         {"cuda", kDLCUDA},    {"opencl", kDLOpenCL}, {"vulkan", kDLVulkan},
      {"metal", kDLMetal},     {"mps", kDLMetal},    {"vpi", kDLVPI},       {"rocm", kDLROCM},
      {"ext_dev", kDLExtDev},  {"wgpu", kDLWebGPU},  {"maia", kDLMAIA},     {"trn", kDLTrn},
      {"hexagon", kDLHexagon}, {"webgpu", kDLWebGPU}};
  for (auto [name, type] : names) {
    EXPECT_EQ(TryParseDLDeviceType(name), type) << name;
    EXPECT_EQ(Parsed(name), std::to_string(type) + " 0");
    EXPECT_EQ(Parsed(std::string(name) + ":3"), std::to_string(type) + " 3");
  }
}

// spec: G05
TEST(Device, UnknownNames) {
  for (const char* name :
       {"", "cuda_host", "rocm_host", "cuda_managed", "oneapi", "CPU", "cp", "cpux"}) {
    EXPECT_FALSE(TryParseDLDeviceType(name).has_value()) << name;
    EXPECT_EQ(Parsed(name), "none");
  }
}

// spec: G05
TEST(Device, Index) {
  EXPECT_EQ(TryParseDLDeviceIndex("0"), 0);
  EXPECT_EQ(TryParseDLDeviceIndex("007"), 7);
  EXPECT_EQ(TryParseDLDeviceIndex("2147483647"), 2147483647);
  for (const char* text : {"", "-1", "+1", "1x", " 1", "2147483648", "99999999999999999999999"}) {
    EXPECT_FALSE(TryParseDLDeviceIndex(text).has_value()) << text;
  }
}

// spec: G05
TEST(Device, TextsWithIndexAndTail) {
  EXPECT_EQ(Parsed("cuda:1"), "2 1");
  EXPECT_EQ(Parsed("cpu -keys=x:1"), "1 0");
  EXPECT_EQ(Parsed("cuda:3 foo:4"), "2 3");
  for (const char* text : {"cuda:", "cuda: 1", ":1", "cuda:1:2", "cuda:-1", " cpu", "cuda:1x",
                           "cuda:2147483648", "::", ":"}) {
    EXPECT_EQ(Parsed(text), "none") << text;
  }
}

TEST(Device, TextNeedNotBeTerminated) {
  EXPECT_EQ(Parsed(std::string_view("cuda:12", 6)), "2 1");
  EXPECT_EQ(Parsed(std::string_view("cpux", 3)), "1 0");
}

// spec: D01
TEST(Device, IsWrittenToStreamsAndMessages) {
  std::ostringstream os;
  os << DLDevice{kDLCUDA, 1} << ' ' << DLDevice{kDLCPU, 0} << ' '
     << DLDevice{static_cast<DLDeviceType>(99), 2};
  EXPECT_EQ(os.str(), "cuda:1 cpu:0 unknown(99):2");
  try {
    TVM_FFI_THROW(ValueError) << "on " << DLDevice{kDLMetal, 0};
  } catch (const tvm::ffi::Error& error) {
    EXPECT_EQ(error.message(), "on metal:0");
  }
}

namespace own_device_text {

// Clients that are older than the operator<< of device.h may define an operator<< themselves.
std::ostream& operator<<(std::ostream& os, DLDevice device) {
  return os << "mine " << device.device_id;
}

TEST(Device, OperatorOfAClientIsPreferred) {
  std::ostringstream os;
  os << DLDevice{kDLCUDA, 1};
  EXPECT_EQ(os.str(), "mine 1");
}

}  // namespace own_device_text

TEST(DeviceTraits, ValueRoundTrip) {
  Any any = DLDevice{kDLCUDA, 3};
  EXPECT_EQ(any.type_index(), kTVMFFIDevice);
  unsigned char image[16];
  TVMFFIAny raw = AnyView(any).CopyToTVMFFIAny();
  std::memcpy(image, &raw, 16);
  const unsigned char expected[16] = {6, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
  if (TVMFFIDLDeviceFromIntPair(2, 3).device_type == kDLCUDA) {
    EXPECT_EQ(std::memcmp(image, expected, 16), 0);
  }
  DLDevice device = any.cast<DLDevice>();
  EXPECT_EQ(device.device_type, kDLCUDA);
  EXPECT_EQ(device.device_id, 3);
  EXPECT_TRUE(any.as<DLDevice>().has_value());
  EXPECT_FALSE(Any("cuda:3").as<DLDevice>().has_value());
  EXPECT_EQ(TypeTraits<DLDevice>::TypeStr(), "Device");
  EXPECT_EQ(tvm::ffi::detail::TypeSchema<DLDevice>::v(), R"({"type":"Device"})");
  EXPECT_EQ(TypeTraits<DLDevice>::field_static_type_index, kTVMFFIDevice);
  EXPECT_TRUE(TypeTraits<DLDevice>::storage_enabled);
}

TEST(DeviceTraits, TextIsAccepted) {
  EXPECT_EQ(AnyView("opencl:10").cast<DLDevice>().device_id, 10);
  EXPECT_EQ(Any("cuda:1").cast<DLDevice>().device_type, kDLCUDA);
  EXPECT_EQ(Any(String("webgpu:123456")).cast<DLDevice>().device_id, 123456);
  auto index = Function::FromTyped([](DLDevice device) { return device.device_id; });
  EXPECT_EQ(index("cpu:4").cast<int>(), 4);
}

// spec: G03
TEST(DeviceTraits, BadTextIsAMismatch) {
  for (const Any& bad : {Any("cud:0"), Any("cuda:-1"), Any(1), Any(nullptr)}) {
    EXPECT_FALSE(bad.try_cast<DLDevice>().has_value());
  }
  EXPECT_ERROR(Any("cud:0").cast<DLDevice>(), "TypeError",
               "Cannot convert from type `ffi.SmallStr` to `Device`");
  auto index = Function::FromTyped([](DLDevice device) { return device.device_id; });
  EXPECT_EQ(Caught([&] { index("no such device"); }).kind(), "TypeError");
}

}  // namespace
