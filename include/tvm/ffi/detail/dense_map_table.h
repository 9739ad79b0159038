// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/dense_map_table.h
 * \brief The block of the dense map layout, and the distances between the slots of one chain. Part
 * of container/dense_map.h. All definitions in this file are part of the ABI.
 */
#ifndef TVM_FFI_DETAIL_DENSE_MAP_TABLE_H_
#define TVM_FFI_DETAIL_DENSE_MAP_TABLE_H_

#include <cstdint>

namespace tvm::ffi::detail {

/*! \brief Slots per block. */
inline constexpr uint64_t kDenseMapBlockSlots = 16;

/*! \brief 16 metadata bytes, followed by 16 items of 48 bytes. */
struct DenseMapBlock {
  uint8_t bytes[kDenseMapBlockSlots + kDenseMapBlockSlots * 48];
};
static_assert(sizeof(DenseMapBlock) == 784, "blocks are part of the ABI");

/*!
 * \brief Element `j` is the distance to the next slot of a chain if the metadata byte contains the
 * jump `j`. Jump 0 ends a chain.
 *
 * The distances are 0 to 15, the triangular numbers from 21 to 2628, and then numbers that grow
 * faster. With the large distances, a long chain finds free slots when all near slots are occupied.
 */
inline constexpr uint64_t kDenseMapDistance[126] = {
    0U,
    1U,
    2U,
    3U,
    4U,
    5U,
    6U,
    7U,
    8U,
    9U,
    10U,
    11U,
    12U,
    13U,
    14U,
    15U,
    21U,
    28U,
    36U,
    45U,
    55U,
    66U,
    78U,
    91U,
    105U,
    120U,
    136U,
    153U,
    171U,
    190U,
    210U,
    231U,
    253U,
    276U,
    300U,
    325U,
    351U,
    378U,
    406U,
    435U,
    465U,
    496U,
    528U,
    561U,
    595U,
    630U,
    666U,
    703U,
    741U,
    780U,
    820U,
    861U,
    903U,
    946U,
    990U,
    1035U,
    1081U,
    1128U,
    1176U,
    1225U,
    1275U,
    1326U,
    1378U,
    1431U,
    1485U,
    1540U,
    1596U,
    1653U,
    1711U,
    1770U,
    1830U,
    1891U,
    1953U,
    2016U,
    2080U,
    2145U,
    2211U,
    2278U,
    2346U,
    2415U,
    2485U,
    2556U,
    2628U,
    8515U,
    19110U,
    42778U,
    96141U,
    216153U,
    486591U,
    1092981U,
    2458653U,
    5532801U,
    12442566U,
    27993903U,
    62983476U,
    141717030U,
    318844378U,
    717352503U,
    1614057336U,
    3631522476U,
    8170957530U,
    18384510628U,
    41364789378U,
    93070452520U,
    209408356380U,
    471168559170U,
    1060128894105U,
    2385289465695U,
    5366898840628U,
    12075518705635U,
    27169915244790U,
    61132312065111U,
    137547689707000U,
    309482283181501U,
    696335127828753U,
    1566753995631385U,
    3525196511162271U,
    7931691992677701U,
    17846306936293605U,
    40154190677507445U,
    90346928918121501U,
    203280589587557251U,
    457381325854679626U,
    1029107982097042876U,
    2315492959180353330U,
    5209859154120846435U,
};

/*! \brief Number of entries of kDenseMapDistance. */
inline constexpr uint32_t kDenseMapNumDistances = 126;

}  // namespace tvm::ffi::detail
#endif  // TVM_FFI_DETAIL_DENSE_MAP_TABLE_H_
