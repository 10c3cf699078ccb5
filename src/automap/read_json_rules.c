#include "automap.h"
tm_status tmi_read_json_rules(tmi_draft *draft, const char *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    return tmi_fail(draft->error, TM_ERROR_UNSUPPORTED, -1, "rules of Teeworlds 0.7 are not read yet");
}
