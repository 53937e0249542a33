#pragma once

// SANITIZED: by AddressSanitizer or ThreadSanitizer, under which the pool keeps nothing, or not the
// same.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
