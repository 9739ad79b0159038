// SPDX-License-Identifier: Apache-2.0
// Test error objects that C functions make, and the error slot of each thread.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "c_api_support.h"

namespace {

TVMFFIObjectHandle MakeError(std::string_view kind, std::string_view message,
                             std::string_view backtrace = "") {
  TVMFFIByteArray texts[] = {BytesOf(kind), BytesOf(message), BytesOf(backtrace)};
  TVMFFIObjectHandle error = nullptr;
  EXPECT_EQ(TVMFFIErrorCreate(&texts[0], &texts[1], &texts[2], &error), 0);
  return error;
}

bool SlotIsEmpty() {
  TVMFFIObjectHandle error = nullptr;
  TVMFFIErrorMoveFromRaised(&error);
  if (error != nullptr) TVMFFIObjectDecRef(error);
  return error == nullptr;
}

// spec: Y7
TEST(ErrorCreate, CopiesTextsAndLeavesTheSlotAlone) {
  std::string message("with\0nul", 8);
  TVMFFIObjectHandle error = MakeError("ValueError", message, "  File \"f\", line 1, in g\n");
  message.assign("overwritten");
  EXPECT_TRUE(SlotIsEmpty());
  EXPECT_EQ(CountsOf(error), 0x100000001u);
  EXPECT_EQ(TVMFFIObjectGetTypeIndex(error), kTVMFFIError);
  const TVMFFIErrorCell* cell = TVMFFIErrorGetCellPtr(error);
  EXPECT_EQ(TextOf(cell->kind), "ValueError");
  EXPECT_EQ(TextOf(cell->message), std::string("with\0nul", 8));
  EXPECT_EQ(cell->message.data[8], '\0');
  EXPECT_EQ(TextOf(cell->backtrace), "  File \"f\", line 1, in g\n");
  EXPECT_EQ(cell->cause_chain, nullptr);
  EXPECT_EQ(cell->extra_context, nullptr);
  TVMFFIObjectDecRef(error);
}

TEST(ErrorCreate, RetainsCauseAndContextUntilItDies) {
  TVMFFIObjectHandle cause = MakeError("KeyError", "cause");
  TVMFFIObjectHandle context = MakeError("KeyError", "any object");
  TVMFFIByteArray text = BytesOf("x");
  TVMFFIObjectHandle error = nullptr;
  ASSERT_EQ(TVMFFIErrorCreateWithCauseAndExtraContext(&text, &text, &text, cause, context, &error),
            0);
  EXPECT_EQ(CountsOf(cause), 0x100000002u);
  EXPECT_EQ(CountsOf(context), 0x100000002u);
  EXPECT_EQ(TVMFFIErrorGetCellPtr(error)->cause_chain, cause);
  EXPECT_EQ(TVMFFIErrorGetCellPtr(error)->extra_context, context);
  TVMFFIObjectDecRef(error);
  EXPECT_EQ(CountsOf(cause), 0x100000001u);
  EXPECT_EQ(CountsOf(context), 0x100000001u);
  TVMFFIObjectDecRef(cause);
  TVMFFIObjectDecRef(context);
  EXPECT_TRUE(SlotIsEmpty());
}

TEST(ErrorCreate, NullOutIsAFailureWithoutARaise) {
  TVMFFIByteArray text = BytesOf("x");
  EXPECT_EQ(TVMFFIErrorCreate(&text, &text, &text, nullptr), -1);
  EXPECT_TRUE(SlotIsEmpty());
}

// spec: B09
TEST(ErrorCreate, BacktraceCanBeReplacedAndAppended) {
  TVMFFIObjectHandle error = MakeError("E", "m", "one\n");
  TVMFFIErrorCell* cell = TVMFFIErrorGetCellPtr(error);
  TVMFFIByteArray more = BytesOf("two\n");
  cell->update_backtrace(error, &more, kTVMFFIBacktraceUpdateModeAppend);
  EXPECT_EQ(TextOf(cell->backtrace), "one\ntwo\n");
  cell->update_backtrace(error, &more, kTVMFFIBacktraceUpdateModeReplace);
  EXPECT_EQ(TextOf(cell->backtrace), "two\n");
  TVMFFIObjectDecRef(error);
}

// spec: Y7
TEST(ErrorSlot, SetKeepsTheCallersReferenceAndMoveEmpties) {
  TVMFFIObjectHandle error = MakeError("ValueError", "m");
  TVMFFIErrorSetRaised(error);
  EXPECT_EQ(CountsOf(error), 0x100000002u);
  TVMFFIObjectHandle taken = nullptr;
  TVMFFIErrorMoveFromRaised(&taken);
  EXPECT_EQ(taken, error);
  EXPECT_EQ(CountsOf(error), 0x100000002u);
  EXPECT_TRUE(SlotIsEmpty());
  TVMFFIObjectDecRef(error);
  TVMFFIObjectDecRef(error);
}

// spec: Y7
TEST(ErrorSlot, ReplacingReleasesTheOneBefore) {
  TVMFFIObjectHandle first = MakeError("KindX", "msg1");
  TVMFFIErrorSetRaised(first);
  TVMFFIErrorSetRaisedFromCStr("KindY", "msg2");
  EXPECT_EQ(CountsOf(first), 0x100000001u);
  EXPECT_RAISED("KindY", "msg2");
  TVMFFIObjectDecRef(first);
}

TEST(ErrorSlot, MoveWithoutAPlaceLeavesTheError) {
  TVMFFIErrorSetRaisedFromCStr("KindZ", "still here");
  TVMFFIErrorMoveFromRaised(nullptr);
  EXPECT_RAISED("KindZ", "still here");
}

// spec: Y7
TEST(ErrorSlot, PartsAreJoinedWithoutTheNullOnes) {
  const char* parts[] = {"a", nullptr, "b", "", "c"};
  TVMFFIErrorSetRaisedFromCStrParts("ValueError", parts, 5);
  EXPECT_RAISED("ValueError", "abc");
  TVMFFIErrorSetRaisedFromCStrParts("ValueError", nullptr, 0);
  EXPECT_RAISED("ValueError", "");
  TVMFFIErrorSetRaisedFromCStrParts("ValueError", parts, -3);
  EXPECT_RAISED("ValueError", "");
  TVMFFIErrorSetRaisedFromCStr("ValueError", nullptr);
  EXPECT_RAISED("ValueError", "");
}

TEST(ErrorSlot, NullArgumentsRaiseInstead) {
  TVMFFIErrorSetRaised(nullptr);
  EXPECT_RAISED("ValueError", "`error` must not be NULL");
  TVMFFIErrorSetRaisedFromCStr(nullptr, "m");
  EXPECT_RAISED("ValueError", "`kind` must not be NULL");
  TVMFFIErrorSetRaisedFromCStrParts("K", nullptr, 2);
  EXPECT_RAISED("ValueError", "`message_parts` must not be NULL");
}

TEST(ErrorSlot, OnlyErrorsCanBeRaised) {
  TVMFFIObjectHandle box = nullptr;
  ASSERT_EQ(TVMFFIObjectCreateOpaque(nullptr, kTVMFFIOpaquePyObject, nullptr, &box), 0);
  TVMFFIErrorSetRaised(box);
  EXPECT_RAISED("TypeError",
                "Cannot raise a value of type `ffi.OpaquePyObject`, expected `ffi.Error`");
  EXPECT_EQ(CountsOf(box), 0x100000001u);
  TVMFFIObjectDecRef(box);
}

TEST(ErrorSlot, IsPerThreadAndEmptiedWhenTheThreadEnds) {
  TVMFFIObjectHandle mine = MakeError("Mine", "m");
  TVMFFIObjectHandle theirs = MakeError("Theirs", "m");
  TVMFFIErrorSetRaised(mine);
  std::thread([theirs] {
    EXPECT_TRUE(SlotIsEmpty());
    TVMFFIErrorSetRaised(theirs);
  }).join();
  EXPECT_EQ(CountsOf(theirs), 0x100000001u);
  EXPECT_RAISED("Mine", "m");
  TVMFFIObjectDecRef(mine);
  TVMFFIObjectDecRef(theirs);
}

}  // namespace
