# SPDX-License-Identifier: Apache-2.0
"""Keywords of C++, checks of names, and names that are derived from other names."""

from __future__ import annotations

import re

CPP_KEYWORDS = frozenset(
    (
        *("alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor"),
        *("bool", "break", "case", "catch", "char", "char8_t", "char16_t", "char32_t"),
        *("class", "compl", "concept", "const", "consteval", "constexpr", "constinit"),
        *("const_cast", "continue", "co_await", "co_return", "co_yield", "decltype"),
        *("default", "delete", "do", "double", "dynamic_cast", "else", "enum"),
        *("explicit", "export", "extern", "false", "float", "for", "friend", "goto"),
        *("if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept"),
        *("not", "not_eq", "nullptr", "operator", "or", "or_eq", "private"),
        *("protected", "public", "register", "reinterpret_cast", "requires", "return"),
        *("short", "signed", "sizeof", "static", "static_assert", "static_cast"),
        *("struct", "switch", "template", "this", "thread_local", "throw", "true"),
        *("try", "typedef", "typeid", "typename", "union", "unsigned", "using"),
        *("virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq"),
    )
)
#: Members of every object or reference class; a field or method with such a name hides the member.
CPP_MEMBERS = frozenset(
    (
        *("type_index", "header_", "data_", "get", "defined", "unique", "use_count"),
        *("same_as", "RuntimeTypeIndex", "IsInstance", "GetTypeKey", "ContainerType"),
    )
)

_ERRNO = (
    "2BIG ACCES ADDRINUSE ADDRNOTAVAIL ADV AFNOSUPPORT AGAIN ALREADY BADE BADF BADFD BADMSG "
    "BADR BADRQC BADSLT BFONT BUSY CANCELED CHILD CHRNG COMM CONNABORTED CONNREFUSED "
    "CONNRESET DEADLK DEADLOCK DESTADDRREQ DOM DOTDOT DQUOT EXIST FAULT FBIG HOSTDOWN "
    "HOSTUNREACH HWPOISON IDRM ILSEQ INPROGRESS INTR INVAL IO ISCONN ISDIR ISNAM KEYEXPIRED "
    "KEYREJECTED KEYREVOKED L2HLT L2NSYNC L3HLT L3RST LIBACC LIBBAD LIBEXEC LIBMAX LIBSCN "
    "LNRNG LOOP MEDIUMTYPE MFILE MLINK MSGSIZE MULTIHOP NAMETOOLONG NAVAIL NETDOWN NETRESET "
    "NETUNREACH NFILE NOANO NOBUFS NOCSI NODATA NODEV NOENT NOEXEC NOKEY NOLCK NOLINK "
    "NOMEDIUM NOMEM NOMSG NONET NOPKG NOPROTOOPT NOSPC NOSR NOSTR NOSYS NOTBLK NOTCONN "
    "NOTDIR NOTEMPTY NOTNAM NOTRECOVERABLE NOTSOCK NOTSUP NOTTY NOTUNIQ NXIO OPNOTSUPP "
    "OVERFLOW OWNERDEAD PERM PFNOSUPPORT PIPE PROTO PROTONOSUPPORT PROTOTYPE RANGE REMCHG "
    "REMOTE REMOTEIO RESTART RFKILL ROFS SHUTDOWN SOCKTNOSUPPORT SPIPE SRCH SRMNT STALE "
    "STRPIPE TIME TIMEDOUT TOOMANYREFS TXTBSY UCLEAN UNATCH USERS WOULDBLOCK XDEV XFULL"
)
#: Matches macros of the headers that generated code includes, and of GNU mode.
_MACRO = re.compile(
    r"(?:unix|linux|i386|alloca|assert|errno|offsetof|math_errhandling|std(?:in|out|err)|strn?dupa"
    r"|(?:be|le)(?:16|32|64)toh|hto[bl]e(?:16|32|64)|NULL|NAN|W?EOF|INFINITY|BUFSIZ|NFDBITS|SNAN[FL]?"
    r"|MAXFLOAT|HUGE_VAL[FL]?|CSIGNAL|TIME_UTC|(?:MB_CUR|RAND|TMP|FILENAME|FOPEN)_MAX|BYTE_ORDER"
    r"|(?:BIG|LITTLE|PDP)_ENDIAN|EXIT_(?:FAILURE|SUCCESS)|SEEK_(?:SET|CUR|END|DATA|HOLE)"
    r"|U?INT(?:_FAST|_LEAST)?(?:8|16|32|64|MAX|PTR)_(?:C|MAX|MIN|WIDTH)"
    r"|(?:SIZE|PTRDIFF|WCHAR|WINT|SIG_ATOMIC|U?(?:CHAR|SHRT|INT|LONG|LLONG)|SCHAR)_(?:MAX|MIN|WIDTH)"
    r"|M_(?:[12]_PI|2_SQRTPI|E|LN2|LN10|LOG2E|LOG10E|PI|PI_[24]|SQRT1_2|SQRT2)[fl]?|CHAR_BIT"
    r"|LC_(?:ALL|COLLATE|CTYPE|MESSAGES|MONETARY|NAME|NUMERIC|TIME)|FD_(?:CLR|ISSET|SET|SETSIZE|ZERO)"
    r"|CPU_(?:ALLOC|AND|CLR|COUNT|EQUAL|FREE|ISSET|OR|SET|SETSIZE|XOR|ZERO)"
    r"|FP_(?:INFINITE|NAN|NORMAL|SUBNORMAL|ZERO)|CLOCK_(?:MONOTONIC|REALTIME)|CLOCKS_PER_SEC"
    rf"|E(?:{_ERRNO.replace(' ', '|')}))\Z"
)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_TYPE_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z_][A-Za-z0-9_]*)*\Z")
_NAMESPACE = re.compile(r"(::)?[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*\Z")


def is_identifier(text: str) -> bool:
    """Return whether a text can be a name in C++."""
    return bool(_IDENTIFIER.match(text)) and text not in CPP_KEYWORDS


def is_macro(text: str) -> bool:
    """Return whether a name is a macro where generated code is compiled."""
    return _MACRO.match(text) is not None


def is_type_key(text: str) -> bool:
    """Return whether a text is a type key: names joined by dots."""
    return bool(_TYPE_KEY.match(text))


def is_namespace(text: str) -> bool:
    """Return whether a text is a C++ namespace; the empty text is the global namespace."""
    words = text.replace("::", " ").split()
    return not text or (bool(_NAMESPACE.match(text)) and not CPP_KEYWORDS.intersection(words))


def stripped(class_name: str) -> str:
    """Return a class name without the suffix `Node` or `Obj`."""
    for suffix in ("Node", "Obj"):
        if class_name.endswith(suffix) and len(class_name) > len(suffix):
            return class_name[: -len(suffix)]
    return class_name
