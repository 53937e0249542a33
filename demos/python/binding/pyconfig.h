// CPython's configuration for another system than this machine's, as far as its headers and
// pybind11 read it.
#ifndef Py_PYCONFIG_H
#define Py_PYCONFIG_H
#define SIZEOF_SHORT __SIZEOF_SHORT__
#define SIZEOF_INT __SIZEOF_INT__
#define SIZEOF_LONG __SIZEOF_LONG__
#define SIZEOF_LONG_LONG __SIZEOF_LONG_LONG__
#define SIZEOF_VOID_P __SIZEOF_POINTER__
#define SIZEOF_SIZE_T __SIZEOF_SIZE_T__
#define SIZEOF_WCHAR_T __SIZEOF_WCHAR_T__
#define SIZEOF_PID_T 4
#define ALIGNOF_MAX_ALIGN_T __BIGGEST_ALIGNMENT__
#define HAVE_UNISTD_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_STDINT_H 1
#define HAVE_STD_ATOMIC 1
#define WITH_DOC_STRINGS 1
#ifdef _WIN32
#define NT_THREADS
#define MS_WINDOWS
#define MS_WIN64
#define HAVE_DECLSPEC_DLL
#define Py_ENABLE_SHARED
#else
#define HAVE_PTHREAD_H 1
#endif
#endif
