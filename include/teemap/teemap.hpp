/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_TEEMAP_HPP
#define TEEMAP_TEEMAP_HPP
/*
 * teemap/teemap.hpp - libteemap for C++17: maps, findings, reports, patches and renderers that free
 * themselves, lists as spans, failures as exceptions, each operation of teemap/edit.h as a function. There is
 * nothing to link besides the library.
 *
 *     teemap::map map = teemap::map::open("a.map");
 *     for (const tm_group &group : map.groups())
 *         for (const tm_layer &layer : teemap::layers(group))
 *             std::cout << layer.name << '\n';
 *     map.edit().mirror("x");
 *     map.save("b.map");
 *
 * - Structs, enums and constants are those of the C headers, which are the manual of all that is not said
 *   here. A C function without a wrapper takes map.get(); check() turns its status into an exception.
 * - A function that fails throws teemap::error and changes nothing. What a callback of yours throws must not
 *   pass through the library.
 * - Spans, references and pointers into a map hold until the map is changed, moved from or freed.
 * - A const map may be read by several threads at once; changes need exclusive access.
 * - With the two files of ./run amalgamate it stands next to teemap.h and has what their rooms have.
 */
#include "teemap.h"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#if defined(__cpp_lib_span)
#include <span>
#endif

namespace teemap
{

/* ------------------------------------------------------------------------------------------------- errors */

/* A failure: what() is "a.map: group 2: the layer is too short (at byte 1234)". */
class error : public std::exception
{
  public:
    explicit error(const tm_error &details) : details_(details)
    {
        tm_error_format(&details_, text_, sizeof(text_));
    }
    const char *what() const noexcept override
    {
        return text_;
    }
    tm_status code() const noexcept
    {
        return details_.code;
    }
    /* The object or part: "group 2, layer 3 'Freeze'"; "" if there is none. */
    const char *place() const noexcept
    {
        return details_.place;
    }
    const char *path() const noexcept
    {
        return details_.path;
    }
    const tm_error &details() const noexcept
    {
        return details_;
    }

  private:
    tm_error details_;
    char text_[TM_ERROR_PATH_SIZE + TM_ERROR_PLACE_SIZE + TM_ERROR_TEXT_SIZE + 32];
};

/* Throws `details` if a function has failed. */
inline void check(tm_status status, const tm_error &details)
{
    if (status != TM_OK)
        throw error(details);
}

[[noreturn]] inline void fail(tm_status status, const char *text)
{
    tm_error details;
    tm_error_set(&details, status, text);
    throw error(details);
}

namespace detail
{

/* Lets a unique_ptr free an object of the library. */
template <typename T, void (*Free)(T *)> struct freed {
    void operator()(T *object) const noexcept
    {
        Free(object);
    }
};
template <typename T, void (*Free)(T *)> using handle = std::unique_ptr<T, freed<T, Free>>;

/* An output into memory. */
class buffer
{
  public:
    buffer() noexcept = default;
    buffer(const buffer &) = delete;
    buffer &operator=(const buffer &) = delete;
    ~buffer()
    {
        tm_buffer_release(&buffer_);
    }
    tm_output output() noexcept
    {
        return tm_output_to_buffer(&buffer_);
    }
    std::string text() const
    {
        return std::string(reinterpret_cast<const char *>(buffer_.bytes), buffer_.size);
    }
    std::vector<std::uint8_t> bytes() const
    {
        return std::vector<std::uint8_t>(buffer_.bytes, buffer_.bytes + buffer_.size);
    }

  private:
    tm_buffer buffer_ = {nullptr, 0, 0, nullptr};
};

} // namespace detail

/* -------------------------------------------------------------------------------------------------- lists */

/* A list in memory of somebody else: std::span where there is one. */
#if defined(__cpp_lib_span)
template <typename T> using span = std::span<T>;
#else
template <typename T> class span
{
  public:
    span() noexcept = default;
    span(T *data, std::size_t size) noexcept : data_(data), size_(size)
    {
    }
    T *data() const noexcept
    {
        return data_;
    }
    std::size_t size() const noexcept
    {
        return size_;
    }
    bool empty() const noexcept
    {
        return size_ == 0;
    }
    T *begin() const noexcept
    {
        return data_;
    }
    T *end() const noexcept
    {
        return data_ + size_;
    }
    T &operator[](std::size_t index) const noexcept
    {
        return data_[index];
    }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};
#endif

/* The tiles of a layer: tiles(x, y), or a row at once. T is tm_tile, tm_tele_tile, ..., const for reading. */
template <typename T> class grid
{
  public:
    grid() noexcept = default;
    grid(T *tiles, std::uint32_t width, std::uint32_t height, std::size_t row_stride) noexcept
        : tiles_(tiles), width_(width), height_(height), tiles_per_row_(row_stride / sizeof(T))
    {
    }
    std::uint32_t width() const noexcept
    {
        return width_;
    }
    std::uint32_t height() const noexcept
    {
        return height_;
    }
    /* Both within the layer; that is not checked. */
    T &operator()(std::uint32_t x, std::uint32_t y) const noexcept
    {
        return tiles_[y * tiles_per_row_ + x];
    }
    span<T> row(std::uint32_t y) const noexcept
    {
        return span<T>(tiles_ + y * tiles_per_row_, width_);
    }

  private:
    T *tiles_ = nullptr;
    std::uint32_t width_ = 0, height_ = 0;
    std::size_t tiles_per_row_ = 0;
};

/* ----------------------------------------------------------------------------------------------- findings */

/* What loading, saving or drawing found. A list that a function adds to. */
class findings
{
  public:
    findings() noexcept
    {
        tm_findings_init(&list_, 0, nullptr);
    }
    findings(findings &&other) noexcept : list_(other.list_)
    {
        tm_findings_init(&other.list_, 0, nullptr);
    }
    findings &operator=(findings &&other) noexcept
    {
        std::swap(list_, other.list_);
        return *this;
    }
    ~findings()
    {
        tm_findings_release(&list_);
    }
    const tm_finding *begin() const noexcept
    {
        return list_.list;
    }
    const tm_finding *end() const noexcept
    {
        return list_.list + list_.num;
    }
    std::size_t size() const noexcept
    {
        return list_.num;
    }
    tm_findings *get() noexcept
    {
        return &list_;
    }
    const tm_findings *get() const noexcept
    {
        return &list_;
    }

  private:
    tm_findings list_;
};

/* The id of a finding: "crude-sizes". */
inline const char *name(const tm_finding &finding) noexcept
{
    return tm_finding_name(finding.id);
}

/* --------------------------------------------------------------------------------------------------- maps */

#ifdef TEEMAP_MAP_H

inline span<const tm_layer> layers(const tm_group &group) noexcept
{
    return span<const tm_layer>(group.layers, group.num_layers);
}
inline span<tm_layer> layers(tm_group &group) noexcept
{
    return span<tm_layer>(group.layers, group.num_layers);
}

#ifdef TEEMAP_EDIT_H
class edits;
#endif

/* Only moved: clone() copies. A map that was moved from may be destroyed or assigned to, and nothing else. */
class map
{
  public:
    /* An empty map without groups. */
    explicit map(tm_game game = TM_GAME_DDNET)
    {
        tm_map_options options = TM_MAP_OPTIONS_INIT;
        options.game = game;
        tm_map *made = nullptr;
        tm_error details;
        check(tm_map_new(&made, &options, &details), details);
        map_.reset(made);
    }
    /* Takes over a map of the C functions. */
    explicit map(tm_map *taken) noexcept : map_(taken)
    {
    }

#ifdef TEEMAP_MAPFILE_H
    /* Reads a file in memory, which must outlive the map and its clones. */
    static map from_bytes(span<const std::uint8_t> bytes, const tm_mapfile_options *options = nullptr,
                          findings *found = nullptr)
    {
        tm_map *loaded = nullptr;
        tm_error details;
        check(tm_mapfile_load(&loaded, tm_input_from_memory(bytes.data(), bytes.size()), options,
                              found ? found->get() : nullptr, &details),
              details);
        return map(loaded);
    }
    /* The file that it is saved as. */
    std::vector<std::uint8_t> to_bytes(const tm_mapfile_save_options *options = nullptr,
                                       findings *found = nullptr) const
    {
        detail::buffer written;
        const tm_output output = written.output();
        tm_error details;
        check(tm_mapfile_save(get(), &output, options, nullptr, found ? found->get() : nullptr, &details),
              details);
        return written.bytes();
    }
    /* Checks the file that it would have, as a game reads it. */
    findings check_file(tm_mode mode = TM_MODE_STRICT) const
    {
        findings found;
        tm_error details;
        check(tm_mapfile_check(get(), mode, nullptr, found.get(), &details), details);
        return found;
    }
#endif

#ifdef TEEMAP_STORE_H
    static map open(const std::string &path, const tm_mapfile_options *options = nullptr,
                    findings *found = nullptr)
    {
        tm_map *loaded = nullptr;
        tm_error details;
        check(tm_store_load(&loaded, path.c_str(), options, found ? found->get() : nullptr, &details),
              details);
        return map(loaded);
    }
    /* The old file does not change until the new one is complete. */
    void save(const std::string &path, const tm_mapfile_save_options *options = nullptr,
              findings *found = nullptr) const
    {
        tm_error details;
        check(tm_store_save(get(), path.c_str(), options, nullptr, found ? found->get() : nullptr, &details),
              details);
    }
#endif

    map clone() const
    {
        tm_map *copy = nullptr;
        tm_error details;
        check(tm_map_clone(&copy, get(), &details), details);
        return map(copy);
    }
    void swap(map &other) noexcept
    {
        tm_map_swap(get(), other.get());
    }
    bool equals(const map &other) const
    {
        bool equal = false;
        tm_error details;
        check(tm_map_equal(&equal, get(), other.get(), nullptr, 0, &details), details);
        return equal;
    }

    tm_map *get() noexcept
    {
        return map_.get();
    }
    const tm_map *get() const noexcept
    {
        return map_.get();
    }
    tm_map *operator->() noexcept
    {
        return map_.get();
    }
    const tm_map *operator->() const noexcept
    {
        return map_.get();
    }

    /* The size in tiles. */
    std::pair<std::uint32_t, std::uint32_t> area() const noexcept
    {
        std::pair<std::uint32_t, std::uint32_t> size;
        tm_map_area(&size.first, &size.second, get());
        return size;
    }
    span<const tm_group> groups() const noexcept
    {
        return span<const tm_group>(map_->groups, map_->num_groups);
    }
    span<tm_group> groups() noexcept
    {
        return span<tm_group>(map_->groups, map_->num_groups);
    }
    span<const tm_image> images() const noexcept
    {
        return span<const tm_image>(map_->images, map_->num_images);
    }
    span<tm_image> images() noexcept
    {
        return span<tm_image>(map_->images, map_->num_images);
    }
    span<const tm_sound> sounds() const noexcept
    {
        return span<const tm_sound>(map_->sounds, map_->num_sounds);
    }
    span<const tm_envelope> envelopes() const noexcept
    {
        return span<const tm_envelope>(map_->envelopes, map_->num_envelopes);
    }
    span<tm_envelope> envelopes() noexcept
    {
        return span<tm_envelope>(map_->envelopes, map_->num_envelopes);
    }
    span<const char *const> settings() const noexcept
    {
        return span<const char *const>(map_->info.settings, map_->info.num_settings);
    }

    /* The layer of a kind that DDNet uses; nullptr if there is none. */
    const tm_layer *physics_layer(tm_layer_kind kind) const noexcept
    {
        return tm_map_physics_layer(nullptr, nullptr, get(), kind);
    }
    /* The tiles of a layer for reading; none if it is nullptr. T: the struct of the layer's kind. */
    template <typename T = tm_tile> grid<const T> tiles(const tm_layer *layer) const
    {
        tm_grid found;
        tm_error details;
        check(tm_map_tiles(&found, get(), layer, &details), details);
        need_size(found.tiles ? found.tile_size : sizeof(T), sizeof(T));
        return grid<const T>(static_cast<const T *>(found.tiles), found.width, found.height,
                             found.row_stride);
    }
    template <typename T = tm_tile> grid<const T> tiles(const tm_layer &layer) const
    {
        return tiles<T>(&layer);
    }
    /* The same for writing. */
    template <typename T = tm_tile> grid<T> edit_tiles(std::uint32_t group, std::uint32_t layer)
    {
        tm_edit_grid found;
        tm_error details;
        check(tm_map_edit_tiles(&found, get(), group, layer, &details), details);
        need_size(found.tiles ? found.tile_size : sizeof(T), sizeof(T));
        return grid<T>(static_cast<T *>(found.tiles), found.width, found.height, found.row_stride);
    }
    span<const tm_quad> quads(const tm_layer &layer) const
    {
        const tm_quad *list = nullptr;
        std::uint32_t num = 0;
        tm_error details;
        check(tm_map_quads(&list, &num, get(), &layer, &details), details);
        return span<const tm_quad>(list, num);
    }
    span<tm_quad> edit_quads(std::uint32_t group, std::uint32_t layer)
    {
        tm_quad *list = nullptr;
        std::uint32_t num = 0;
        tm_error details;
        check(tm_map_edit_quads(&list, &num, get(), group, layer, &details), details);
        return span<tm_quad>(list, num);
    }
    span<const tm_sound_source> sources(const tm_layer &layer) const
    {
        const tm_sound_source *list = nullptr;
        std::uint32_t num = 0;
        tm_error details;
        check(tm_map_sources(&list, &num, get(), &layer, &details), details);
        return span<const tm_sound_source>(list, num);
    }
    /* Width * height * 4 bytes RGBA of an embedded image; empty for others. */
    std::vector<std::uint8_t> pixels(const tm_image &image) const
    {
        std::vector<std::uint8_t> rgba(static_cast<std::size_t>(tm_image_rgba_size(&image)));
        tm_error details;
        if (!rgba.empty())
            check(tm_map_image_pixels(get(), &image, rgba.data(), rgba.size(), &details), details);
        return rgba;
    }
    /* Sets a text of the map: map.set_text(map->info.author, "nobody"). */
    void set_text(const char *&slot, const std::string &text)
    {
        tm_error details;
        check(tm_map_set_text(get(), &slot, text.c_str(), &details), details);
    }

#ifdef TEEMAP_EDIT_H
    /* The operations of teemap/edit.h: map.edit().mirror("x"). */
    edits edit();
#endif

  private:
    static void need_size(std::size_t size, std::size_t expected)
    {
        if (size != expected)
            fail(TM_ERROR_USAGE, "the layer has tiles of another type");
    }
    detail::handle<tm_map, tm_map_free> map_;
};

#endif

/* -------------------------------------------------------------------------------------------------- edits */

#ifdef TEEMAP_EDIT_H

/* What operations changed, and what they could not do. */
class report
{
  public:
    report() noexcept
    {
        tm_report_init(&report_, nullptr);
    }
    report(report &&other) noexcept : report_(other.report_)
    {
        tm_report_init(&other.report_, nullptr);
    }
    report &operator=(report &&other) noexcept
    {
        std::swap(report_, other.report_);
        return *this;
    }
    ~report()
    {
        tm_report_release(&report_);
    }
    const tm_change *begin() const noexcept
    {
        return report_.list;
    }
    const tm_change *end() const noexcept
    {
        return report_.list + report_.num;
    }
    std::size_t size() const noexcept
    {
        return report_.num;
    }
    span<const tm_finding> notes() const noexcept
    {
        return span<const tm_finding>(report_.findings.list, report_.findings.num);
    }
    /* Whether something that was asked for could not be done, or was lost. */
    bool has_warnings() const noexcept
    {
        return tm_report_has_warnings(&report_);
    }
    tm_report *get() noexcept
    {
        return &report_;
    }

  private:
    tm_report report_;
};

/* An argument of an operation, as text: a text, a number, a point or a region in tiles. */
class word
{
  public:
    word(const char *text) : text_(text)
    {
    }
    word(std::string text) : text_(std::move(text))
    {
    }
    word(std::string_view text) : text_(text)
    {
    }
    template <typename T, typename = std::enable_if_t<std::is_integral<T>::value>>
    word(T number) : text_(std::to_string(number))
    {
    }
    word(double number) : text_(32, '\0')
    {
        const int length = std::snprintf(&text_[0], text_.size(), "%.6f", number);
        text_.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
        for (char &letter : text_)
            letter = letter == ',' ? '.' : letter;
    }
    word(const tm_point &point) : text_(std::to_string(point.x) + ',' + std::to_string(point.y))
    {
    }
    word(const tm_rect &rect)
        : text_(std::to_string(rect.x) + ',' + std::to_string(rect.y) + '+' + std::to_string(rect.width) +
                'x' + std::to_string(rect.height))
    {
    }
    const char *c_str() const noexcept
    {
        return text_.c_str();
    }

  private:
    std::string text_;
};

/*
 * The operations on a map. Arguments come in the order in which the command line has them; those that may be
 * missing are left out. A word of the usage that is not in capitals is an argument, too: mirror("x").
 */
class edits
{
  public:
    explicit edits(tm_map *map, const tm_edit_options *options = nullptr) noexcept
        : map_(map), options_(options)
    {
    }
    /* With files, other maps, images and threads for the operations that follow. */
    edits with(const tm_edit_options &options) const noexcept
    {
        return edits(map_, &options);
    }
    /* An operation by its name. */
    report run(const char *name, const std::vector<word> &words) const
    {
        const tm_edit_operation *operation = tm_edit_find(name);
        if (!operation)
            fail(TM_ERROR_NOT_FOUND, "there is no such operation");
        std::vector<const char *> arguments;
        for (const word &argument : words)
            arguments.push_back(argument.c_str());
        report done;
        tm_error details;
        check(tm_edit_run(map_, operation, arguments.data(), static_cast<std::uint32_t>(arguments.size()),
                          options_, done.get(), &details),
              details);
        return done;
    }
    /* A text with an operation a line: all of them or none. */
    report script(std::string_view text) const
    {
        tm_edit_script *parsed = nullptr;
        tm_error details;
        check(tm_edit_script_from_text(&parsed, text.data(), text.size(), nullptr, &details), details);
        const detail::handle<tm_edit_script, tm_edit_script_free> script(parsed);
        report done;
        check(tm_edit_script_run(map_, script.get(), options_, done.get(), &details), details);
        return done;
    }

    /* clang-format off */
/* made by ./run generate: cpp-operations */
    /* set ADDRESS.FIELD=VALUE...: set fields of any object */
    template <typename... Words> report set(const Words &...words) const { return run("set", {word(words)...}); }
    /* rename ADDRESS NAME: rename an image, sound, envelope, group or layer */
    template <typename... Words> report rename(const Words &...words) const { return run("rename", {word(words)...}); }
    /* settings add COMMAND...: append server commands that the map does not have yet */
    template <typename... Words> report settings_add(const Words &...words) const { return run("settings add", {word(words)...}); }
    /* settings remove PATTERN...: remove matching server commands */
    template <typename... Words> report settings_remove(const Words &...words) const { return run("settings remove", {word(words)...}); }
    /* settings replace PATTERN COMMAND: replace matching server commands with another */
    template <typename... Words> report settings_replace(const Words &...words) const { return run("settings replace", {word(words)...}); }
    /* settings sort: sort the server commands by their bytes */
    report settings_sort() const { return run("settings sort", {}); }
    /* settings clear: remove all server commands */
    report settings_clear() const { return run("settings clear", {}); }
    /* settings from FILE [all|new]: read server commands from a text file: replace all commands, or append only new ones */
    template <typename... Words> report settings_from(const Words &...words) const { return run("settings from", {word(words)...}); }
    /* add image NAME [FILE]: add an external image, or one with the pixels of a PNG or WebP */
    template <typename... Words> report add_image(const Words &...words) const { return run("add image", {word(words)...}); }
    /* add sound NAME [FILE]: add an external sound, or one from an Opus file */
    template <typename... Words> report add_sound(const Words &...words) const { return run("add sound", {word(words)...}); }
    /* add envelope sound|position|color [NAME]: add an envelope without points */
    template <typename... Words> report add_envelope(const Words &...words) const { return run("add envelope", {word(words)...}); }
    /* add group [NAME]: add an empty group in front of all others */
    template <typename... Words> report add_group(const Words &...words) const { return run("add group", {word(words)...}); }
    /* add layer GROUP KIND [SIZE]: add an empty layer in front of the other layers of a group; the default size is that of the map */
    template <typename... Words> report add_layer(const Words &...words) const { return run("add layer", {word(words)...}); }
    /* add point ENVELOPE MS [VALUE]...: add a point to an envelope, in order of time, with a value for each channel */
    template <typename... Words> report add_point(const Words &...words) const { return run("add point", {word(words)...}); }
    /* add quad LAYER X,Y [SIZE]: add an upright quad with its top left corner at a place in px; the default size is that of its image, or 64x64 px */
    template <typename... Words> report add_quad(const Words &...words) const { return run("add quad", {word(words)...}); }
    /* add source LAYER X,Y: add a sound source at a place in px */
    template <typename... Words> report add_source(const Words &...words) const { return run("add source", {word(words)...}); }
    /* remove ADDRESS...: remove images, sounds, envelopes, groups, layers, or their quads, sources and points; references to them become none */
    template <typename... Words> report remove(const Words &...words) const { return run("remove", {word(words)...}); }
    /* move ADDRESS PLACE: move an object to another place in the order; layers also to another group */
    template <typename... Words> report move(const Words &...words) const { return run("move", {word(words)...}); }
    /* duplicate ADDRESS [PLACE]: put a copy of an object after it, or at a place */
    template <typename... Words> report duplicate(const Words &...words) const { return run("duplicate", {word(words)...}); }
    /* isolate: move physics layers to a separate group */
    report isolate() const { return run("isolate", {}); }
    /* clean all: remove everything unused: layers, groups, envelopes, images, sounds */
    report clean_all() const { return run("clean all", {}); }
    /* clean layers: remove empty layers, except game layers */
    report clean_layers() const { return run("clean layers", {}); }
    /* clean groups: remove groups without layers */
    report clean_groups() const { return run("clean groups", {}); }
    /* clean envelopes: remove unused envelopes */
    report clean_envelopes() const { return run("clean envelopes", {}); }
    /* clean images: remove unused images */
    report clean_images() const { return run("clean images", {}); }
    /* clean sounds: remove unused sounds */
    report clean_sounds() const { return run("clean sounds", {}); }
    /* clean unread: remove texts, names and settings that are too long or too damaged to be read, so that they can be set */
    report clean_unread() const { return run("clean unread", {}); }
    /* clean quads [LAYERS]: remove invisible quads: without alpha or extent */
    template <typename... Words> report clean_quads(const Words &...words) const { return run("clean quads", {word(words)...}); }
    /* join all: merge equal images, sounds and envelopes */
    report join_all() const { return run("join all", {}); }
    /* join images: merge images with the same name and equal pixels */
    report join_images() const { return run("join images", {}); }
    /* join sounds: merge sounds with the same name and equal data */
    report join_sounds() const { return run("join sounds", {}); }
    /* join envelopes: merge equal envelopes */
    report join_envelopes() const { return run("join envelopes", {}); }
    /* optimize: make the map smaller without visible or gameplay changes: join and clean all, zero flags of air, shrink */
    report optimize() const { return run("optimize", {}); }
    /* optimize images: make images smaller without visible changes: clear parts that nothing shows */
    report optimize_images() const { return run("optimize images", {}); }
    /* optimize colors: give invisible pixels of images the colors of their neighbours, so that they pack well; edges may look slightly better */
    report optimize_colors() const { return run("optimize colors", {}); }
    /* mirror x|y [LAYERS]: mirror the whole map, or layers in place: x swaps left and right, y top and bottom */
    template <typename... Words> report mirror(const Words &...words) const { return run("mirror", {word(words)...}); }
    /* rotate 90|180|270 [LAYERS]: rotate the whole map clockwise, or layers in place */
    template <typename... Words> report rotate(const Words &...words) const { return run("rotate", {word(words)...}); }
    /* shift X,Y [cut|wrap] [LAYERS]: move the whole map, or tiles within layers; parts that leave it are cut off, or wrap around */
    template <typename... Words> report shift(const Words &...words) const { return run("shift", {word(words)...}); }
    /* crop [REGION [LAYERS]]: crop the map to a region or to its non-empty part, or crop design layers to a region */
    template <typename... Words> report crop(const Words &...words) const { return run("crop", {word(words)...}); }
    /* extend left|right|up|down TILES [air|empty|edge|border] [LAYERS]: extend the map, or design layers, at one side */
    template <typename... Words> report extend(const Words &...words) const { return run("extend", {word(words)...}); }
    /* scale 2|4|8|16: scale the map with everything in it */
    template <typename... Words> report scale(const Words &...words) const { return run("scale", {word(words)...}); }
    /* trim [LAYERS]: remove rows and columns at the right and bottom of design layers that only repeat the previous one */
    template <typename... Words> report trim(const Words &...words) const { return run("trim", {word(words)...}); }
    /* shrink: trim design layers on all four sides; the map looks the same */
    report shrink() const { return run("shrink", {}); }
    /* opaque [LAYERS]: set the opaque flag of design tiles from the pixels of their image */
    template <typename... Words> report opaque(const Words &...words) const { return run("opaque", {word(words)...}); }
    /* automap [LAYERS] [CONFIG] [SEED] [REFERENCE] [amount DOODADS]: map design layers by the rules of their images, with a configuration or with each layer's automapper */
    template <typename... Words> report automap(const Words &...words) const { return run("automap", {word(words)...}); }
    /* automap by FILE [LAYERS] [CONFIG] [SEED] [REFERENCE] [amount DOODADS]: map design layers by a file of rules; the default is layers whose image has the name of the file */
    template <typename... Words> report automap_by(const Words &...words) const { return run("automap by", {word(words)...}); }
    /* fill LAYERS TILE [where PATTERN]: write one tile everywhere, or only where a pattern matches */
    template <typename... Words> report fill(const Words &...words) const { return run("fill", {word(words)...}); }
    /* clear [LAYERS] [where PATTERN]: make all tiles air, and remove quads and sound sources; or make only matching tiles air */
    template <typename... Words> report clear(const Words &...words) const { return run("clear", {word(words)...}); }
    /* replace PATTERN with TILE [LAYERS]: replace matching tiles with another */
    template <typename... Words> report replace(const Words &...words) const { return run("replace", {word(words)...}); }
    /* construct TILE LAYERS [PATTERN]: write a physics tile under all tiles, or all matching tiles, of design layers that are aligned with the game */
    template <typename... Words> report construct(const Words &...words) const { return run("construct", {word(words)...}); }
    /* borders [TILE [WIDTH]]: put a border around the game layer: solid and 2 tiles wide by default */
    template <typename... Words> report borders(const Words &...words) const { return run("borders", {word(words)...}); }
    /* clean tiles: remove solid and death tiles from the game layer where nothing is drawn over them */
    report clean_tiles() const { return run("clean tiles", {}); }
    /* normalize [stoppers]: reset flags of physics tiles that have no effect, or that have a simpler form */
    template <typename... Words> report normalize(const Words &...words) const { return run("normalize", {word(words)...}); }
    /* migrate speedups [LAYERS]: convert old speedups to new ones, and report which play differently */
    template <typename... Words> report migrate_speedups(const Words &...words) const { return run("migrate speedups", {word(words)...}); }
    /* zero unused [LAYERS]: zero bytes of tiles that no game reads */
    template <typename... Words> report zero_unused(const Words &...words) const { return run("zero unused", {word(words)...}); }
    /* join physics [merge|drop]: merge physics layers of the same kind: fill air with tiles of the others, or drop the others */
    template <typename... Words> report join_physics(const Words &...words) const { return run("join physics", {word(words)...}); }
    /* renumber POOL CHANGE [LAYERS]: renumber teleporters, checkpoints, switches or tuning zones, also in settings */
    template <typename... Words> report renumber(const Words &...words) const { return run("renumber", {word(words)...}); }
    /* swap numbers POOL A B [LAYERS]: exchange two numbers of a pool */
    template <typename... Words> report swap_numbers(const Words &...words) const { return run("swap numbers", {word(words)...}); }
    /* envelope scale FACTOR [ENVELOPE]...: multiply the duration of envelopes and their time offsets */
    template <typename... Words> report envelope_scale(const Words &...words) const { return run("envelope scale", {word(words)...}); }
    /* envelope shift MS [ENVELOPE]...: start envelopes this many ms later in their loop */
    template <typename... Words> report envelope_shift(const Words &...words) const { return run("envelope shift", {word(words)...}); }
    /* envelope reverse [ENVELOPE]...: reverse envelopes */
    template <typename... Words> report envelope_reverse(const Words &...words) const { return run("envelope reverse", {word(words)...}); }
    /* envelope resample MS [ENVELOPE]...: replace curves with straight lines, with a point every MS */
    template <typename... Words> report envelope_resample(const Words &...words) const { return run("envelope resample", {word(words)...}); }
    /* envelope sort [ENVELOPE]...: sort points by time, and remove those before 0 */
    template <typename... Words> report envelope_sort(const Words &...words) const { return run("envelope sort", {word(words)...}); }
    /* envelope sync on|off [ENVELOPE]...: run envelopes on server time, or on each player's time */
    template <typename... Words> report envelope_sync(const Words &...words) const { return run("envelope sync", {word(words)...}); }
    /* dilate [IMAGE]...: give invisible pixels the color of visible neighbours, as DDNet's editor does */
    template <typename... Words> report dilate(const Words &...words) const { return run("dilate", {word(words)...}); }
    /* dilate cells [IMAGE]...: dilate each of an image's 256 cells separately */
    template <typename... Words> report dilate_cells(const Words &...words) const { return run("dilate cells", {word(words)...}); }
    /* blank [IMAGE]...: clear parts of images that no tile and no quad shows */
    template <typename... Words> report blank(const Words &...words) const { return run("blank", {word(words)...}); }
    /* blank colors [IMAGE]...: make invisible pixels black; dilate afterwards */
    template <typename... Words> report blank_colors(const Words &...words) const { return run("blank colors", {word(words)...}); }
    /* resize images [IMAGE]...: stretch images to multiples of 16 px, which all games accept for tiles */
    template <typename... Words> report resize_images(const Words &...words) const { return run("resize images", {word(words)...}); }
    /* rgba [IMAGE]...: add an alpha channel to images without one */
    template <typename... Words> report rgba(const Words &...words) const { return run("rgba", {word(words)...}); }
    /* embed [IMAGE]...: embed the pixels of external images */
    template <typename... Words> report embed(const Words &...words) const { return run("embed", {word(words)...}); }
    /* external [IMAGE]...: make embedded images external if they equal the game's own, which players have */
    template <typename... Words> report external(const Words &...words) const { return run("external", {word(words)...}); }
    /* external sizes [IMAGE]...: set the sizes of external images to their real sizes */
    template <typename... Words> report external_sizes(const Words &...words) const { return run("external sizes", {word(words)...}); }
    /* external sounds SOUND...: remove the data of sounds, for players who have them */
    template <typename... Words> report external_sounds(const Words &...words) const { return run("external sounds", {word(words)...}); }
    /* replace image IMAGE FILE: give an image the pixels of a PNG or WebP and keep its name; game:NAME makes it an external image of the game */
    template <typename... Words> report replace_image(const Words &...words) const { return run("replace image", {word(words)...}); }
    /* replace sound SOUND FILE: give a sound the data of an Opus file and keep its name */
    template <typename... Words> report replace_sound(const Words &...words) const { return run("replace sound", {word(words)...}); }
    /* quads align [LAYERS]: round all points of quads to whole pixels */
    template <typename... Words> report quads_align(const Words &...words) const { return run("quads align", {word(words)...}); }
    /* quads square [LAYERS]: make quads upright rectangles of the same size */
    template <typename... Words> report quads_square(const Words &...words) const { return run("quads square", {word(words)...}); }
    /* quads aspect [LAYERS]: give quads the aspect ratio of their image */
    template <typename... Words> report quads_aspect(const Words &...words) const { return run("quads aspect", {word(words)...}); }
    /* quads center [LAYERS]: center the pivots of quads */
    template <typename... Words> report quads_center(const Words &...words) const { return run("quads center", {word(words)...}); }
    /* quads scale FACTOR [LAYERS]: scale quads around their pivots */
    template <typename... Words> report quads_scale(const Words &...words) const { return run("quads scale", {word(words)...}); }
    /* quads turn DEGREES [LAYERS]: rotate quads clockwise around their pivots */
    template <typename... Words> report quads_turn(const Words &...words) const { return run("quads turn", {word(words)...}); }
    /* quads front LAYERS: draw the quads of a region in front of the others of their layer: quads front 'Back@0,0+20x20' */
    template <typename... Words> report quads_front(const Words &...words) const { return run("quads front", {word(words)...}); }
    /* quads back LAYERS: draw the quads of a region behind the others of their layer */
    template <typename... Words> report quads_back(const Words &...words) const { return run("quads back", {word(words)...}); }
    /* quads knife LAYER QUAD X,Y...: cut a part of a quad into a new quad: four corners in px, top left, top right, bottom left, bottom right */
    template <typename... Words> report quads_knife(const Words &...words) const { return run("quads knife", {word(words)...}); }
    /* quads from FILE [X,Y] [PIXELS]: draw a picture with quads, one per rectangle of one color; a pixel takes 4 px, or PIXELS */
    template <typename... Words> report quads_from(const Words &...words) const { return run("quads from", {word(words)...}); }
    /* tiles from FILE [X,Y]: draw a picture with tiles, one per pixel, in layers of 255 colors */
    template <typename... Words> report tiles_from(const Words &...words) const { return run("tiles from", {word(words)...}); }
    /* append OTHER [LAYERS] [renumber|keep]: add groups of another map in front: everything except physics, and its settings; or only the given layers */
    template <typename... Words> report append(const Words &...words) const { return run("append", {word(words)...}); }
    /* paste OTHER REGION X,Y [LAYERS] [renumber|keep]: paste a region of another map: tiles of all kinds, quads, sound sources */
    template <typename... Words> report paste(const Words &...words) const { return run("paste", {word(words)...}); }
/* end of cpp-operations */
    /* clang-format on */

  private:
    tm_map *map_;
    const tm_edit_options *options_;
};

inline edits map::edit()
{
    return edits(get());
}

#endif

/* ----------------------------------------------------------------------------------------- patch and merge */

#ifdef TEEMAP_PATCH_H

/* The differences between two maps, which it does not need any longer. */
class patch
{
  public:
    patch(const map &before, const map &after, const tm_patch_options *options = nullptr)
    {
        tm_patch *made = nullptr;
        tm_error details;
        check(tm_patch_make(&made, before.get(), after.get(), options, &details), details);
        patch_.reset(made);
    }
    /* Takes over a patch of the C functions. */
    explicit patch(tm_patch *taken) noexcept : patch_(taken)
    {
    }
    static patch from_json(std::string_view text, const tm_patch_options *options = nullptr)
    {
        tm_patch *made = nullptr;
        tm_error details;
        check(tm_patch_read(&made, text.data(), text.size(), options, &details), details);
        return patch(made);
    }
    std::string to_json() const
    {
        detail::buffer written;
        const tm_output output = written.output();
        tm_error details;
        check(tm_patch_write(get(), &output, &details), details);
        return written.text();
    }
    /* The changes in words, a line each; more or less of them by the options. */
    std::string to_text(const tm_tell_options *options = nullptr) const
    {
        detail::buffer written;
        const tm_output output = written.output();
        tm_error details;
        check(tm_patch_tell(get(), options, &output, &details), details);
        return written.text();
    }
    std::size_t size() const noexcept
    {
        return tm_patch_num(get());
    }
    /* A change; its pointers hold as long as the patch. */
    tm_patch_change operator[](std::size_t index) const noexcept
    {
        tm_patch_change change;
        tm_patch_at(&change, get(), static_cast<std::uint32_t>(index));
        return change;
    }
    /* Changes a map, all or nothing, or with `partial` what fits: the report names the rest. */
    report apply(map &map, bool partial = false) const
    {
        tm_apply_options options = TM_APPLY_OPTIONS_INIT;
        options.partial = partial;
        report done;
        tm_error details;
        check(tm_patch_apply(map.get(), get(), &options, done.get(), &details), details);
        return done;
    }
    patch inverted() const
    {
        tm_patch *made = nullptr;
        tm_error details;
        check(tm_patch_invert(&made, get(), &details), details);
        return patch(made);
    }
    const tm_patch *get() const noexcept
    {
        return patch_.get();
    }

  private:
    detail::handle<tm_patch, tm_patch_free> patch_;
};

#endif

#ifdef TEEMAP_MERGE_H

/* Three maps as one: the result, and where both sides changed the same. */
class merge
{
  public:
    /* `base` nullptr: there is no common map. */
    merge(const map *base, const map &ours, const map &theirs, const tm_merge_options *options = nullptr)
        : result(static_cast<tm_map *>(nullptr))
    {
        tm_map *merged = nullptr;
        tm_conflicts *conflicts = nullptr;
        tm_error details;
        check(tm_map_merge(&merged, &conflicts, base ? base->get() : nullptr, ours.get(), theirs.get(),
                           options, changes.get(), &details),
              details);
        result = map(merged);
        conflicts_.reset(conflicts);
    }
    /* The number of conflicts, and of those that are not resolved. */
    std::size_t size() const noexcept
    {
        return tm_conflicts_num(conflicts_.get());
    }
    std::size_t num_open() const noexcept
    {
        return tm_conflicts_num_open(conflicts_.get());
    }
    /* A conflict; its pointers hold as long as this object. */
    tm_conflict operator[](std::size_t index) const noexcept
    {
        tm_conflict conflict;
        tm_conflicts_at(&conflict, conflicts_.get(), static_cast<std::uint32_t>(index));
        return conflict;
    }
    const tm_conflicts *get() const noexcept
    {
        return conflicts_.get();
    }

    map result;
    report changes; /* to ours */

  private:
    detail::handle<tm_conflicts, tm_conflicts_free> conflicts_;
};

#endif

/* -------------------------------------------------------------------------------------------------- facts */

#if defined(TEEMAP_FACTS_H) && defined(TEEMAP_MAP_H)

/* What is known of a map, a value for each column of teemap/facts.h. It borrows the map and the findings. */
class facts
{
  public:
    explicit facts(const map &map, const findings *found = nullptr, const tm_facts_file *file = nullptr)
    {
        tm_facts *made = nullptr;
        tm_error details;
        check(tm_facts_make(&made, map.get(), found ? found->get() : nullptr, file, nullptr, &details),
              details);
        facts_.reset(made);
    }
    /* By the name of the column: "tiles_freeze". */
    tm_fact operator[](std::string_view column) const
    {
        const tm_fact_column *row;
        for (std::uint32_t n = 0; (row = tm_facts_column(n)) != nullptr; n++)
            if (column == row->name)
                return tm_facts_get(get(), n);
        fail(TM_ERROR_NOT_FOUND, "there is no such column");
    }
    const tm_facts *get() const noexcept
    {
        return facts_.get();
    }

  private:
    detail::handle<tm_facts, tm_facts_free> facts_;
};

#endif

/* ------------------------------------------------------------------------------------------------ threads */

#ifdef TEEMAP_SYS_H

/* Threads for the functions that take a tm_job or an executor; 0: as many as there are processors. */
class threads
{
  public:
    explicit threads(std::uint32_t num = 0)
    {
        tm_sys_threads *made = nullptr;
        tm_error details;
        check(tm_sys_threads_new(&made, num, nullptr, &details), details);
        threads_.reset(made);
    }
    const tm_executor *executor() const noexcept
    {
        return tm_sys_threads_executor(threads_.get());
    }

  private:
    detail::handle<tm_sys_threads, tm_sys_threads_free> threads_;
};

#endif

/* --------------------------------------------------------------------------------------------------- lint */

#ifdef TEEMAP_LINT_H

/* What is wrong with a map, as the rules of teemap/lint.h find it. */
class lint
{
  public:
    explicit lint(const map &map, const tm_lint_options *options = nullptr)
    {
        tm_error details;
        check(tm_lint_run(&result_, map.get(), options, &details), details);
    }
    lint(const lint &) = delete;
    lint &operator=(const lint &) = delete;
    ~lint()
    {
        tm_lint_result_release(&result_);
    }
    const tm_finding *begin() const noexcept
    {
        return result_.findings.list;
    }
    const tm_finding *end() const noexcept
    {
        return result_.findings.list + result_.findings.num;
    }
    std::size_t size() const noexcept
    {
        return result_.findings.num;
    }
    /* Where the tiles of a finding are; empty for findings that are not about tiles. */
    span<const tm_region> places(std::size_t finding) const noexcept
    {
        std::uint32_t num = 0;
        const tm_region *list = tm_lint_places(&num, &result_, finding);
        return span<const tm_region>(list, num);
    }
    /* The operation that mends it, for edits::script; "" if there is none. */
    const char *fix_line(std::size_t finding) const noexcept
    {
        return tm_lint_fix_line(&result_, finding);
    }
    const tm_lint_result *get() const noexcept
    {
        return &result_;
    }

  private:
    tm_lint_result result_;
};

#endif

/* ------------------------------------------------------------------------------------------------- render */

#ifdef TEEMAP_RENDER_H

/* Pixels with 8 bits each of red, green, blue and alpha, row by row. */
struct picture {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
};

/* A camera at a place of the world, in px: 32 per tile. */
inline tm_camera camera_at(double x, double y, std::uint32_t width, std::uint32_t height) noexcept
{
    tm_camera camera = TM_CAMERA_INIT;
    camera.x = x;
    camera.y = y;
    camera.width = width;
    camera.height = height;
    return camera;
}

/* Draws a map, which it borrows; the pictures come from any number of threads at once. */
class renderer
{
  public:
    explicit renderer(const map &map, const tm_render_options *options = nullptr, findings *found = nullptr)
    {
        tm_renderer *made = nullptr;
        tm_error details;
        check(tm_renderer_new(&made, map.get(), options, found ? found->get() : nullptr, &details), details);
        renderer_.reset(made);
    }
    /* What a camera sees, over black. */
    picture draw(const tm_camera &camera) const
    {
        picture drawn;
        drawn.width = camera.width;
        drawn.height = camera.height;
        drawn.rgba.resize(static_cast<std::size_t>(camera.width) * camera.height * 4);
        for (std::size_t i = 3; i < drawn.rgba.size(); i += 4)
            drawn.rgba[i] = 255;
        const tm_rows rows = {drawn.rgba.data(), static_cast<std::size_t>(camera.width) * 4, 0,
                              camera.height};
        tm_error details;
        check(tm_renderer_draw(get(), &camera, &rows, &details), details);
        return drawn;
    }
    tm_renderer *get() const noexcept
    {
        return renderer_.get();
    }

  private:
    detail::handle<tm_renderer, tm_renderer_free> renderer_;
};

#ifdef TEEMAP_CODEC_H
/* The bytes of a PNG. */
inline std::vector<std::uint8_t> to_png(const picture &picture)
{
    detail::buffer written;
    const tm_output output = written.output();
    tm_error details;
    check(tm_png_write(&output, picture.rgba.data(), picture.width, picture.height, nullptr, &details),
          details);
    return written.bytes();
}
#endif

#endif

} // namespace teemap

#endif
