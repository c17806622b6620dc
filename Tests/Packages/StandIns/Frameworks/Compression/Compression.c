#include "Compression.h"

#include <stdlib.h>
#include <zlib.h>

// COMPRESSION_ZLIB is raw DEFLATE, as Apple encodes it at level 5.
enum { raw = -MAX_WBITS, level = 5 };

typedef struct {
    z_stream zlib;
    compression_stream_operation operation;
    int has_ended;
} State;

// Apple's documents differ. By its header, a stream that is decoded ends by itself; by its page, only after the flag
// COMPRESSION_STREAM_FINALIZE, which makes an error of an incomplete one. With this variable, it is as on the page.
static int is_strict(void) { return getenv("COMPRESSION_STRICT") != NULL; }

compression_status compression_stream_init(
    compression_stream *stream, compression_stream_operation operation, compression_algorithm algorithm) {
    State *state = calloc(1, sizeof *state);
    state->operation = operation;
    int status = operation == COMPRESSION_STREAM_ENCODE
        ? deflateInit2(&state->zlib, level, Z_DEFLATED, raw, 8, Z_DEFAULT_STRATEGY)
        : inflateInit2(&state->zlib, raw);
    stream->state = state;
    return status == Z_OK && algorithm == COMPRESSION_ZLIB ? COMPRESSION_STATUS_OK : COMPRESSION_STATUS_ERROR;
}

compression_status compression_stream_process(compression_stream *stream, int flags) {
    State *state = stream->state;
    z_stream *zlib = &state->zlib;
    zlib->next_in = (uint8_t *)stream->src_ptr;
    zlib->avail_in = stream->src_size;
    zlib->next_out = stream->dst_ptr;
    zlib->avail_out = stream->dst_size;
    int is_last = flags & COMPRESSION_STREAM_FINALIZE, decodes = state->operation == COMPRESSION_STREAM_DECODE;
    int status = !decodes ? deflate(zlib, is_last ? Z_FINISH : Z_NO_FLUSH)
        : state->has_ended ? Z_STREAM_END : inflate(zlib, Z_NO_FLUSH);
    state->has_ended = status == Z_STREAM_END;
    stream->src_ptr = zlib->next_in;
    stream->src_size = zlib->avail_in;
    stream->dst_ptr = zlib->next_out;
    stream->dst_size = zlib->avail_out;
    if (decodes && is_strict()) {
        if (state->has_ended && !is_last) return COMPRESSION_STATUS_OK;
        if (!state->has_ended && is_last && stream->src_size == 0 && stream->dst_size > 0) return COMPRESSION_STATUS_ERROR;
    }
    if (status == Z_STREAM_END) return COMPRESSION_STATUS_END;
    // Without room or input nothing could be done, which is no error.
    return status == Z_OK || status == Z_BUF_ERROR ? COMPRESSION_STATUS_OK : COMPRESSION_STATUS_ERROR;
}

compression_status compression_stream_destroy(compression_stream *stream) {
    State *state = stream->state;
    if (state->operation == COMPRESSION_STREAM_ENCODE) deflateEnd(&state->zlib); else inflateEnd(&state->zlib);
    free(state);
    return COMPRESSION_STATUS_OK;
}
