/* SPDX-License-Identifier: Zlib */
/*
 * Many blocks at once: the same results and the same errors on any number of threads, progress, cancelling,
 * the memory budget, and threads that ask for the same block at the same time.
 *
 * test-labels: threads
 */
#include "support/lib_jobs.h"
#include "support/test.h"
#include "datafile/datafile.h"

#define BLOCKS  60u
#define LARGEST 60000u

static struct test_bytes file;
static uint64_t total;

static size_t size_of(uint32_t index)
{
    return 1 + (size_t)index * 7919 % LARGEST;
}

static uint8_t byte_of(uint32_t index, size_t at)
{
    return (uint8_t)(index * 31 + at / 50 + (at * at >> 7));
}

static void set_up(void)
{
    static uint8_t plain[LARGEST];
    struct test_recipe recipe = test_recipe_new(4);
    test_recipe_item(&recipe, 0, 0, 1, 1);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        for (size_t k = 0; k < size_of(i); k++)
            plain[k] = byte_of(i, k);
        test_recipe_data(&recipe, plain, size_of(i));
        total += size_of(i);
    }
    file = test_recipe_build(&recipe);
    test_recipe_release(&recipe);
    test_jobs_begin();
}

static void tear_down(void)
{
    test_bytes_release(&file);
    test_jobs_end();
}

/* Reads may come from several threads here, so they are not counted. */
static tm_status read_plainly(void *ctx, uint64_t offset, void *buffer, size_t size, tm_error *error)
{
    (void)error;
    memcpy(buffer, (const uint8_t *)ctx + offset, size);
    return TM_OK;
}

static tm_datafile *open_bytes(const struct test_bytes *bytes, tm_mode mode, const tm_limits *limits)
{
    tm_input input = {bytes->bytes, bytes->size, NULL, read_plainly, NULL, NULL};
    tm_datafile_options options = {sizeof(options), mode, limits, NULL};
    tm_datafile *datafile;
    must(tm_datafile_open(&datafile, input, &options, NULL, NULL));
    return datafile;
}

static bool is_right(uint32_t index, const void *bytes, uint64_t size)
{
    if (size != size_of(index))
        return false;
    for (size_t k = 0; k < size; k++)
        if (((const uint8_t *)bytes)[k] != byte_of(index, k))
            return false;
    return true;
}

TEST(test_unpack)
{
    for (int threads = 0; threads < 2; threads++) {
        tm_job job = test_job(threads, NULL);
        OWN(tm_datafile) *datafile = open_bytes(&file, TM_MODE_STRICT, NULL);
        static const uint32_t some[] = {5, 3, 5, 40};
        const void *before;
        const void *after;
        must(tm_datafile_unpack(datafile, some, 4, &job, NULL));
        must(tm_datafile_data_bytes(&before, NULL, datafile, 40, NULL));
        must(tm_datafile_unpack(datafile, NULL, 0, &job, NULL));
        must(tm_datafile_data_bytes(&after, NULL, datafile, 40, NULL));
        assert_ptr_equal(before, after);
        for (uint32_t i = 0; i < BLOCKS; i++) {
            must(tm_datafile_data_bytes(&after, NULL, datafile, i, NULL));
            assert_true(is_right(i, after, size_of(i)));
        }
        static const uint32_t wrong[] = {5, BLOCKS};
        assert_int_equal(tm_datafile_unpack(datafile, wrong, 2, &job, NULL), TM_ERROR_USAGE);
    }
}

TEST(test_unpack_limit)
{
    tm_limits limits = TM_LIMITS_INIT;
    tm_job job = test_job(true, NULL);
    const void *bytes;
    limits.unpacked_bytes = total - 1;
    OWN(tm_datafile) *datafile = open_bytes(&file, TM_MODE_STRICT, &limits);
    assert_int_equal(tm_datafile_unpack(datafile, NULL, 0, &job, NULL), TM_ERROR_LIMIT);
    must(tm_datafile_data_bytes(&bytes, NULL, datafile, 0, NULL));
    tm_datafile_close(datafile);
    limits.unpacked_bytes = total;
    datafile = open_bytes(&file, TM_MODE_STRICT, &limits);
    must(tm_datafile_unpack(datafile, NULL, 0, &job, NULL));
}

/* The lowest broken block is the one that is told of, whoever came upon which first. */
TEST(test_first_error)
{
    OWN(test_bytes) broken = test_bytes_copy(file.bytes, file.size);
    OWN(tm_datafile) *datafile = open_bytes(&broken, TM_MODE_STRICT, NULL);
    for (uint32_t i = 9; i < BLOCKS; i += 10) {
        tm_datafile_data data;
        assert_true(tm_datafile_get_data(&data, datafile, i));
        broken.bytes[data.offset + 2] = 7;
    }
    for (int round = 0; round < 10; round++) {
        tm_job job = test_job(round % 2 == 0, NULL);
        tm_error error = {.code = TM_OK};
        assert_int_equal(tm_datafile_unpack(datafile, NULL, 0, &job, &error), TM_ERROR_DAMAGED);
        assert_string_equal(error.place, "data 9");
        assert_int_equal(error.code, TM_ERROR_DAMAGED);
    }
}

struct visits {
    atomic_uint seen[BLOCKS];
    atomic_uint wrong;
    atomic_uint hands;
    atomic_uint most_hands;
    uint32_t stop_at;
};

static tm_status visit(void *ctx, uint32_t index, const void *bytes, uint64_t size, tm_data_state found)
{
    struct visits *visits = ctx;
    unsigned hands = atomic_fetch_add(&visits->hands, 1) + 1;
    unsigned most = atomic_load(&visits->most_hands);
    while (hands > most && !atomic_compare_exchange_weak(&visits->most_hands, &most, hands)) {
    }
    atomic_fetch_add(&visits->seen[index], 1);
    if (found != TM_DATA_FINE || !is_right(index, bytes, size))
        atomic_fetch_add(&visits->wrong, 1);
    atomic_fetch_sub(&visits->hands, 1);
    return index == visits->stop_at ? TM_ERROR_NOT_FOUND : TM_OK;
}

static void clear(struct visits *visits)
{
    memset(visits, 0, sizeof(*visits));
    visits->stop_at = BLOCKS;
}

static void check_visits(struct visits *visits, unsigned times)
{
    assert_int_equal(atomic_load(&visits->wrong), 0);
    for (uint32_t i = 0; i < BLOCKS; i++)
        assert_int_equal(atomic_load(&visits->seen[i]), times);
}

TEST(test_visit)
{
    static struct visits visits;
    OWN(tm_datafile) *datafile = open_bytes(&file, TM_MODE_STRICT, NULL);
    for (int threads = 0; threads < 2; threads++) {
        tm_job job = test_job(threads, NULL);
        clear(&visits);
        must(tm_datafile_visit(datafile, NULL, 0, visit, &visits, &job, NULL));
        must(tmi_datafile_check_data(datafile, visit, &visits, &job, NULL, NULL));
        check_visits(&visits, 2);
        clear(&visits);
        visits.stop_at = 17;
        assert_int_equal(tm_datafile_visit(datafile, NULL, 0, visit, &visits, &job, NULL),
                         TM_ERROR_NOT_FOUND);
    }
}

/* A budget below two blocks lets one hand work; all blocks come all the same. */
TEST(test_budget)
{
    static struct visits visits;
    OWN(tm_datafile) *datafile = open_bytes(&file, TM_MODE_STRICT, NULL);
    for (int step = 0; step < 4; step++) {
        static const uint64_t budgets[] = {1, 1000, 70000, 200000};
        tm_job job = test_job(true, NULL);
        job.memory_budget = budgets[step];
        clear(&visits);
        must(tm_datafile_visit(datafile, NULL, 0, visit, &visits, &job, NULL));
        check_visits(&visits, 1);
        if (budgets[step] == 1)
            assert_int_equal(atomic_load(&visits.most_hands), 1);
    }
}

/*
 * Bytes that are in use at once, as the allocator sees them, but for the inflaters: the budget is for the blocks, and an inflater
 * of a little more than 96 KiB belongs to each thread.
 */
struct meter {
    atomic_size_t now;
    atomic_size_t most;
};

static size_t counted(size_t size)
{
    const size_t room = (size_t)96 * 1024;
    return size > room && size < room + 512 ? 0 : size;
}

static void *metered(void *ctx, void *ptr, size_t whole_old_size, size_t whole_new_size)
{
    struct meter *meter = ctx;
    const size_t old_size = counted(whole_old_size), new_size = counted(whole_new_size);
    size_t now = atomic_fetch_add(&meter->now, new_size) + new_size;
    size_t most = atomic_load(&meter->most);
    while (now > most && !atomic_compare_exchange_weak(&meter->most, &most, now)) {
    }
    atomic_fetch_sub(&meter->now, old_size);
    if (whole_new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, whole_new_size);
}

TEST(test_budget_in_bytes)
{
    static struct visits visits;
    for (uint64_t budget = 60000; budget <= 240000; budget += 60000) {
        struct meter meter;
        tm_allocator allocator = {&meter, metered};
        atomic_init(&meter.now, 0);
        atomic_init(&meter.most, 0);
        tm_input input = {file.bytes, file.size, NULL, read_plainly, NULL, NULL};
        tm_datafile_options options = {sizeof(options), TM_MODE_STRICT, NULL, &allocator};
        tm_datafile *datafile;
        tm_job job = test_job(true, NULL);
        job.memory_budget = budget;
        clear(&visits);
        must(tm_datafile_open(&datafile, input, &options, NULL, NULL));
        must(tm_datafile_visit(datafile, NULL, 0, visit, &visits, &job, NULL));
        check_visits(&visits, 1);
        /* The largest block and its packed bytes are always allowed; 8 KiB are for the head and the order. */
        uint64_t one = 0;
        for (uint32_t i = 0; i < BLOCKS; i++) {
            tm_datafile_data data;
            assert_true(tm_datafile_get_data(&data, datafile, i));
            one = data.size + data.packed_size > one ? data.size + data.packed_size : one;
        }
        assert_true(atomic_load(&meter.most) < (budget > one ? budget : one) + 8192);
        tm_datafile_close(datafile);
        assert_int_equal(atomic_load(&meter.now), 0);
    }
}

/* ----------------------------------------------------------------------------------- progress, cancelling */

TEST(test_cancel)
{
    static struct visits visits;
    OWN(tm_datafile) *datafile = open_bytes(&file, TM_MODE_STRICT, NULL);
    for (int threads = 0; threads < 2; threads++) {
        test_watch watch = {.cancel_at = 2};
        const tm_job job = test_job(threads, &watch);
        tm_error error = {.code = TM_OK};
        unsigned seen = 0;
        clear(&visits);
        assert_int_equal(tm_datafile_visit(datafile, NULL, 0, visit, &visits, &job, &error),
                         TM_ERROR_CANCELLED);
        assert_int_equal(error.code, TM_ERROR_CANCELLED);
        for (uint32_t i = 0; i < BLOCKS; i++)
            seen += atomic_load(&visits.seen[i]);
        assert_true(seen < BLOCKS);
        assert_int_equal(tm_datafile_unpack(datafile, NULL, 0, &job, NULL), TM_ERROR_CANCELLED);
        assert_int_equal(tmi_datafile_check_data(datafile, NULL, NULL, &job, NULL, NULL), TM_ERROR_CANCELLED);
    }
}

/* ---------------------------------------------------------------------------------- many ask for the same */

struct askers {
    const tm_datafile *datafile;
    _Atomic(const void *) first[3];
    atomic_uint wrong;
};

static void ask(void *arg, uint32_t which)
{
    struct askers *askers = arg;
    uint32_t index = 7 + which % 3;
    const void *bytes = NULL;
    const void *null_memory = NULL;
    tm_data_state found;
    if (tm_datafile_data_bytes(&bytes, &found, askers->datafile, index, NULL) != TM_OK ||
        found != TM_DATA_FINE || !is_right(index, bytes, size_of(index)))
        atomic_fetch_add(&askers->wrong, 1);
    if (!atomic_compare_exchange_strong(&askers->first[which % 3], &null_memory, bytes) &&
        null_memory != bytes)
        atomic_fetch_add(&askers->wrong, 1);
}

TEST(test_same_block)
{
    const tm_executor *executor = test_job(true, NULL).executor;
    for (int round = 0; round < 20; round++) {
        struct askers askers;
        memset(&askers, 0, sizeof(askers));
        OWN(tm_datafile) *datafile = open_bytes(&file, TM_MODE_STRICT, NULL);
        askers.datafile = datafile;
        executor->run(executor->ctx, 24, ask, &askers);
        assert_int_equal(atomic_load(&askers.wrong), 0);
    }
}

static uint32_t lazy_index[BLOCKS];
static uint32_t failing_from;

static tm_status fetch(void *ctx, void *buffer, uint64_t *size, tm_error *error)
{
    uint32_t index = *(const uint32_t *)ctx;
    for (size_t k = 0; k < *size; k++)
        ((uint8_t *)buffer)[k] = byte_of(index, k);
    if (index < failing_from)
        return TM_OK;
    if (error)
        snprintf(error->text, sizeof(error->text), "block %u", (unsigned)index);
    return TM_ERROR_NOT_FOUND;
}

static tm_status write_lazily(tm_buffer *buffer, const tm_job *job, tm_error *error)
{
    tm_output output = tm_output_to_buffer(buffer);
    tm_datafile_writer *writer;
    must(tm_datafile_writer_new(&writer, NULL, NULL));
    for (uint32_t i = 0; i < BLOCKS; i++) {
        int32_t index;
        lazy_index[i] = i;
        must(tmi_datafile_writer_add_lazy(&index, writer, size_of(i), fetch, &lazy_index[i], NULL));
    }
    return tm_datafile_writer_finish(writer, &output, job, NULL, error);
}

TEST(test_packing)
{
    tm_buffer buffers[4] = {{0}};
    static const uint64_t budgets[] = {0, 0, 1, 150000};
    failing_from = BLOCKS;
    for (int i = 0; i < 4; i++) {
        test_watch watch = {0};
        tm_job job = test_job(i > 0, &watch);
        job.memory_budget = budgets[i];
        must(write_lazily(&buffers[i], &job, NULL));
        assert_int_equal(watch.last, total);
        assert_true(!watch.wrong && watch.calls > 1);
        assert_int_equal(buffers[i].size, buffers[0].size);
        assert_memory_equal(buffers[i].bytes, buffers[0].bytes, buffers[0].size);
    }
    struct test_bytes written = {buffers[0].bytes, buffers[0].size};
    static struct visits visits;
    tm_datafile *datafile = open_bytes(&written, TM_MODE_STRICT, NULL);
    clear(&visits);
    must(tm_datafile_visit(datafile, NULL, 0, visit, &visits, NULL, NULL));
    check_visits(&visits, 1);
    tm_datafile_close(datafile);
    for (int i = 0; i < 4; i++)
        tm_buffer_release(&buffers[i]);
}

TEST(test_packing_fails)
{
    failing_from = 11;
    for (int round = 0; round < 6; round++) {
        OWN(tm_buffer) buffer = {0};
        tm_error error = {.code = TM_OK};
        tm_job job = test_job(round % 2 == 0, NULL);
        assert_int_equal(write_lazily(&buffer, &job, &error), TM_ERROR_NOT_FOUND);
        assert_string_equal(error.text, "block 11");
        assert_int_equal(buffer.size, 0);
    }
    tm_cancel cancel = {0};
    OWN(tm_buffer) buffer = {0};
    tm_job job = test_job(true, NULL);
    job.cancel = &cancel;
    tm_cancel_request(&cancel);
    assert_int_equal(write_lazily(&buffer, &job, NULL), TM_ERROR_CANCELLED);
    assert_int_equal(buffer.size, 0);
}

TEST_GROUP(set_up, tear_down)
