// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>

#include "io/io_testing.hpp"
#include "nifti_maker.hpp"

namespace meander::io {
namespace {

using Vector = Placement::Vector;

class Nifti : public testing::Test {
 protected:
  Reader open(const std::string& bytes, const ReadOptions& options = {}) {
    save(folder / "a.nii", bytes);
    return Reader(folder / "a.nii", options);
  }
  Folder folder;
};

/// Each version in each byte order.
class NiftiKinds : public testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  NiftiMaker maker() const { return NiftiMaker(std::get<0>(GetParam()), std::get<1>(GetParam())); }
  Folder folder;
};
INSTANTIATE_TEST_SUITE_P(All, NiftiKinds, testing::Combine(testing::Values(1, 2), testing::Bool()));

TEST_P(NiftiKinds, FieldsAreFound) {
  const std::string bytes = maker()
                                .dim({4, 3, 2, 2, 2})
                                .pixdim({1, 0.1, 0.2, 0.7, 2500})
                                .units(3 + 16)
                                .sform(4, {-0.1, 0, 0.25, 9, 0, 0.2, 0, -8, 0.5, 0, 0.7, 7})
                                .with(counted<std::int16_t>(24));
  save(folder / "a.nii", bytes);
  Reader reader(folder / "a.nii");
  EXPECT_EQ(reader.format(), "NIfTI");
  const Description& found = reader.description();
  EXPECT_EQ(found.shape, (Shape{3, 2, 2}));
  EXPECT_EQ(found.channels, 1);
  EXPECT_EQ(found.type, PixelType::i16);
  EXPECT_EQ(found.spacing, (Spacing{0.1, 0.2, 0.7, Unit::micrometre}));
  EXPECT_EQ(reader.film(), (Film{2, 2.5}));
  ASSERT_TRUE(found.placement);
  EXPECT_EQ(found.placement->axes, WorldAxes::ras);
  EXPECT_EQ(found.placement->from, WorldOrigin::mni152);
  EXPECT_EQ(found.placement->origin, (Vector{9, -8, 7}));
  const double tenth = std::get<0>(GetParam()) == 1 ? static_cast<double>(0.1f) : 0.1;
  EXPECT_EQ(found.placement->step[0], (Vector{-tenth, 0, 0.5}));
  EXPECT_EQ(found.placement->step[2][0], 0.25);
  reader.select_frame(1);
  EXPECT_EQ(reader.read().row<std::int16_t>(1, 1)[2], 23);
}

TEST_P(NiftiKinds, QformIsUsedWhereThereIsNoSform) {
  const double half = std::sqrt(0.5);
  // A quarter turn about z: x becomes y. The third axis points down.
  const NiftiMaker quarter = maker()
                                 .pixdim({-1, 2, 3, 5})
                                 .qform(1, {0, 0, half, 10, 20, 30})
                                 .sform(0, {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7});
  save(folder / "a.nii", quarter.with(counted<std::int16_t>(12)));
  const auto placement = Reader(folder / "a.nii").description().placement;
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->from, WorldOrigin::scanner);
  EXPECT_EQ(placement->origin, (Vector{10, 20, 30}));
  const std::array<Vector, 3> expected = {{{0, 2, 0}, {-3, 0, 0}, {0, 0, -5}}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(placement->step[axis][i], expected[axis][i], 1e-6) << axis << ", " << i;
    }
  }
}

TEST_P(NiftiKinds, PairsOpenByEitherName) {
  const NiftiMaker header = maker().magic("ni").offset(16);
  save(folder / "a.hdr", header.header());
  // The numbers begin like a header of their own.
  const std::string front = NiftiMaker().header().substr(0, 16);
  save(folder / "a.img", front + header.data(counted<std::int16_t>(12)));
  for (const char* name : {"a.hdr", "a.img"}) {
    const Image image = read(folder / name);
    EXPECT_EQ(image.shape(), (Shape{3, 2, 2})) << name;
    EXPECT_EQ(image.row<std::int16_t>(1, 1)[2], 11) << name;
    EXPECT_EQ(image.row<std::int16_t>(0, 0)[1], 1) << name;
  }
}

TEST_F(Nifti, PairsMayHaveCapitals) {
  const NiftiMaker header = NiftiMaker().magic("ni").offset(0);
  save(folder / "A.HDR", header.header().substr(0, 348));
  save(folder / "A.IMG", header.data(counted<std::int16_t>(12)));
  EXPECT_EQ(read(folder / "A.IMG").row<std::int16_t>(1, 1)[2], 11);
  EXPECT_EQ(read(folder / "A.HDR").row<std::int16_t>(1, 1)[2], 11);
}

TEST_F(Nifti, ChannelsAreTheFifthAxis) {
  const std::string bytes = NiftiMaker().dim({5, 3, 2, 1, 2, 3}).with(counted<std::int16_t>(36));
  Reader reader = open(bytes, {.frame = 1});
  EXPECT_EQ(reader.description().channels, 3);
  const Image image = reader.read();
  EXPECT_EQ(image.row<std::int16_t>(0, 0, 0)[0], 6);
  EXPECT_EQ(image.row<std::int16_t>(1, 0, 2)[2], 35);
  Reader one = open(bytes, {.frame = 0, .channel = 1});
  EXPECT_EQ(one.description().channels, 1);
  EXPECT_EQ(one.read().row<std::int16_t>(0)[0], 12);
}

TEST_F(Nifti, ColoursAreNeighboursAndNotScaled) {
  NiftiMaker maker = NiftiMaker().dim({3, 3, 2, 2}).scaling(2, 1);
  for (const int colours : {3, 4}) {
    maker.type(colours == 3 ? 128 : 2304, static_cast<std::int16_t>(8 * colours));
    const std::string bytes = maker.with(counted<std::uint8_t>(12 * colours));
    const Image image = open(bytes).read();
    EXPECT_EQ(image.type(), PixelType::u8);
    EXPECT_EQ(image.channels(), colours);
    EXPECT_EQ(image.row<std::uint8_t>(0, 1, 1)[2], 8 * colours + 1);
    const Image last = open(bytes, {.channel = colours - 1}).read();
    EXPECT_EQ(last.row<std::uint8_t>(1, 1)[2], 12 * colours - 1);
  }
}

TEST_F(Nifti, ScalingMakesFloats) {
  const Image image = open(NiftiMaker().scaling(0.5, -3).with(counted<std::int16_t>(12))).read();
  EXPECT_EQ(image.type(), PixelType::f32);
  EXPECT_EQ(image.row<float>(1, 1)[2], 2.5f);
  const NiftiMaker wide = NiftiMaker().type(1024, 64).scaling(0.5, 0);
  EXPECT_EQ(open(wide.with(counted<std::int64_t>(12))).read().row<double>(1, 1)[2], 5.5);
}

TEST_F(Nifti, AFilmGivesNothingUntilAFrameIsChosen) {
  const std::string bytes = NiftiMaker().dim({4, 3, 2, 2, 2}).with(counted<std::int16_t>(24));
  Reader film = open(bytes);
  EXPECT_EQ(film.film(), (Film{2, 0}));
  expect_error(thrown_by([&] { film.read(); }), "InvalidArgument", folder / "a.nii", "2 frames");
  expect_error(thrown_by([&] { film.select_frame(2); }), "InvalidArgument", folder / "a.nii",
               "frame 2");
}

TEST_F(Nifti, APartHasItsOwnOrigin) {
  const std::string bytes = NiftiMaker()
                                .sform(1, {2, 0, 1, 10, 0, 3, 0, 20, 0.5, 0, 4, 30})
                                .with(counted<std::int16_t>(12));
  Reader reader = open(bytes, {.roi = Roi{1, 1, 3, 2}});
  ASSERT_TRUE(reader.description().placement);
  EXPECT_EQ(reader.description().placement->origin, (Vector{12, 23, 30.5}));
  EXPECT_EQ(reader.description().placement->step[0], (Vector{2, 0, 0.5}));
  const Image part = reader.read();
  EXPECT_EQ(part.shape(), (Shape{2, 1, 2}));
  EXPECT_EQ(part.row<std::int16_t>(0, 1)[0], 10);
}

TEST_F(Nifti, UnknownCodesAreOthersAndNegativeOnesNone) {
  const std::vector<double> unit = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  const auto numbers = counted<std::int16_t>(12);
  const auto other = open(NiftiMaker().sform(77, unit).with(numbers)).description().placement;
  ASSERT_TRUE(other);
  EXPECT_EQ(other->from, WorldOrigin::other);
  EXPECT_FALSE(open(NiftiMaker().sform(-1, unit).with(numbers)).description().placement);
}

/// What is written comes back the same, in slabs too.
struct Written {
  std::string suffix;
  Description description;
  Film film;
};
class NiftiWritten : public testing::TestWithParam<Written> {
 protected:
  static Image frame(std::int64_t index) {
    return random_image(GetParam().description, static_cast<unsigned>(index + 1));
  }
  static Image slab(const Image& image, std::int64_t begin, std::int64_t end) {
    return image.shape().z > 1 ? image.slices(begin, end) : image.rows(begin, end);
  }
  Folder folder;
};

const Placement turned = {.origin = {10, -20, 30.25},
                          .step = {{{0, 0.5, 0}, {-0.25, 0, 0}, {0, 0, -2}}},
                          .axes = WorldAxes::ras,
                          .from = WorldOrigin::talairach};
const Spacing half_quarter_two = {0.5, 0.25, 2, Unit::millimetre};

std::vector<Written> all_written() {
  std::vector<Written> cases;
  for (const char* suffix : {".nii", ".nii.gz", ".hdr", ".img"}) {
    cases.push_back({suffix, {{5, 7, 4}, 1, PixelType::i16, half_quarter_two, turned}, {}});
    cases.push_back({suffix, {{5, 7, 1}, 3, PixelType::u8, half_quarter_two, {}}, {}});
    cases.push_back({suffix, {{5, 7, 4}, 2, PixelType::f32, half_quarter_two, turned}, {3, 0.25}});
    cases.push_back({suffix, {{5, 7, 1}, 1, PixelType::f64, half_quarter_two, turned}, {2, 0}});
    cases.push_back({suffix, {{2, 32768, 1}, 2, PixelType::u16, half_quarter_two, turned}, {}});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(All, NiftiWritten, testing::ValuesIn(all_written()));

TEST_P(NiftiWritten, ComesBackFromSlabs) {
  const auto& [suffix, description, film] = GetParam();
  const std::filesystem::path path = folder / ("a" + suffix);
  const std::int64_t length = slab_length(description.shape);
  Writer writer(path, description, {.film = film});
  for (std::int64_t index = 0; index < film.frames; ++index) {
    const Image image = frame(index);
    writer.append(slab(image, 0, 1));
    writer.append(slab(image, 1, length));
  }
  writer.finish();
  Reader reader(path);
  EXPECT_EQ(reader.description(), description);
  EXPECT_EQ(reader.film(), film);
  EXPECT_EQ(folder.files(), suffix == ".hdr" || suffix == ".img" ? 2u : 1u);
  for (const std::int64_t index : {film.frames - 1, std::int64_t{0}}) {
    reader.select_frame(index);
    EXPECT_TRUE(same_pixels(reader.slab(2, length), slab(frame(index), 2, length)));
    EXPECT_TRUE(same_pixels(reader.slab(1, 3), slab(frame(index), 1, 3)));
    EXPECT_TRUE(same_pixels(reader.read(), frame(index)));
  }
}

TEST_F(Nifti, PlacementIsWrittenInItsOwnAxesAndUnit) {
  Description description{{5, 7, 4}, 1, PixelType::u8, {1, 2, 3, Unit::centimetre}, Placement{}};
  description.placement->origin = {1, 2, 3};
  description.placement->step = {{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}};
  description.placement->axes = WorldAxes::lps;
  write(folder / "a.nii", random_image(description));
  const Description found = Reader(folder / "a.nii").description();
  EXPECT_EQ(found.spacing, (Spacing{10, 20, 30, Unit::millimetre}));
  ASSERT_TRUE(found.placement);
  EXPECT_EQ(found.placement->origin, (Vector{-10, -20, 30}));
  EXPECT_EQ(found.placement->step[0], (Vector{-10, 0, 0}));
  EXPECT_EQ(found.placement->step[2], (Vector{0, 0, 30}));
  EXPECT_EQ(found.placement->from, WorldOrigin::aligned);
}

TEST_F(Nifti, EqualImagesGiveEqualFilesAndTheSformKeepsItsBits) {
  const std::string bytes =
      NiftiMaker()
          .pixdim({1, 0.1, 1e-7, 3.3333})
          .sform(3, {0.1, 0.2, 0.3, 1e-20, 1.0 / 3, 7, 8, 9, -0.0, 1e20, 11, 12})
          .with(counted<std::int16_t>(12));
  const Image image = open(bytes).read();
  write(folder / "b.nii", image);
  write(folder / "c.nii", image);
  const std::string written = load(folder / "b.nii");
  EXPECT_EQ(written, load(folder / "c.nii"));
  EXPECT_EQ(written.substr(280, 48), bytes.substr(280, 48));
  EXPECT_EQ(written.substr(80, 12), bytes.substr(80, 12));
  EXPECT_EQ(written.substr(352), bytes.substr(352));
}

}  // namespace
}  // namespace meander::io
