# make                 build the program, build/release/cprof-leaks
# make demo            set up, build, and answer for the dump in fixtures/
# make check           set up and pass every test
# make check-core      the tests that need no network, no root, no other program
# make check-full      make check and the long tier
# make setup           install what packages/*.txt names and is missing
# make install         into PREFIX (/usr/local), below DESTDIR
# make uninstall       take away what install put there
# make unit            unit tests; this and the next three take SAN=1, CC=clang
# make kills           a writer of a history, killed 200 times
# make conformance     the program against dumps whose truth is known
# make cli             golden command lines, all or CASE=group/name
# make options         every option of every command with values nobody gives
# make replay          every stored fuzz input, and its beginnings
# make rules-check     the rules that ship: no mistake and no warning
# make rules-test      the tests that stand in them
# make docs-rules      write docs/rules-reference.md from them
# make damage          every form of dump, cut and damaged; EVERY=1 is all
# make faults          commands whose memory, disk or life ends at any point;
#                      KIND=memory, lasting, disk or signal, NAME=, MOST= runs
# make simulation      how often growth is found, and how often by mistake
# make watch           the same of check, over 2,000 runs or RUNS=
# make cost            what texts that look like dumps take (NAMES="a b" some)
# make live            real programs: tests/live (NAMES=a,b some of them)
# make bless           rewrite golden outputs, all or CASE=group/name
# make fuzz            search for new inputs by libFuzzer until none was found
#                      for FUZZ_QUIET=20 minutes, at least FUZZ_TIME=60 s each
# make coverage        lines that fuzz inputs and all tests leave out, a file
# make deb             Debian packages, tested, into build/deb
# make static          build/static/cprof-leaks-static, which needs no library
# make package-check   install the packages in a new Debian, try and remove them
# make arm64-check     the tests on 64-bit ARM, in an emulator
# make reproducible    two builds in two places give the same bytes
# make bench           speed and memory, side by side with grep
# make style           lengths, widths, comments; prints the table
# make layers          who may include whom
# make headers         every header compiles alone
# make lint            clang-tidy and shellcheck; QUICK=1 without the analyser
# make format          put every source into the project's format
# make man             the manual pages, into build/release/man
# make dist            a tar file of the last commit
# make clean           remove build/, or the BUILD that is given
# make help            this list
#
# Variables: CC CFLAGS CPPFLAGS LDFLAGS LDLIBS, PREFIX (or prefix) and its like,
# DESTDIR, BUILD (the folder to build in), SAN=1 (ASan and UBSan, build/san),
# STATIC=1 (no shared library at all, build/static), WERROR=1,
# STATIC_DEPS=auto|no|yes (link the archives of libraries), TESTED (the program
# that is tested, if not that of BUILD), TEST_LDFLAGS (for programs that only
# test), SETUP=no (install nothing), JOBS (for tests; default: all cores), V=1
# (show commands).
# To compile for another machine also HOST_CC, HOST_CFLAGS, HOST_LDFLAGS and
# HOST_LIBS: the compiler of this one, its flags, and how it links libyaml, PCRE2
# and xxHash.

VERSION := 0.1.0
RELEASED := 2026-11-21

.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules --no-print-directory
ifeq ($(origin CC),default)
CC := cc
endif
CLANG_FORMAT ?= clang-format
CLANG_TIDY ?= clang-tidy
INSTALL ?= install
OBJCOPY ?= objcopy
PKG_CONFIG ?= pkg-config
PROTOC_C ?= protoc-c

PREFIX ?= /usr/local
prefix ?= $(PREFIX)
bindir ?= $(prefix)/bin
includedir ?= $(prefix)/include
libdir ?= $(prefix)/lib
pkgconfigdir ?= $(libdir)/pkgconfig
datadir ?= $(prefix)/share
docdir ?= $(datadir)/doc/cprof-leaks
mandir ?= $(datadir)/man
bashdir ?= $(datadir)/bash-completion/completions
zshdir ?= $(datadir)/zsh/site-functions
fishdir ?= $(datadir)/fish/vendor_completions.d

FIXTURES ?= fixtures
EVERY ?= 50
FUZZ_QUIET ?= 20
FUZZ_TIME ?= 60
JOBS ?= $(shell nproc 2>/dev/null || echo 1)
STATIC_DEPS ?= $(if $(STATIC),yes,auto)

# `make check` builds several times, all below one folder: build/, or the BUILD
# that it was given.
TREE := $(if $(filter undefined,$(origin BUILD)),build,$(BUILD))
BUILD ?= build/$(if $(SAN),san,$(if $(STATIC),static,release))

# --- Flags -------------------------------------------------------------------

# The user's CFLAGS, CPPFLAGS, LDFLAGS and LDLIBS come last; ours have other
# names. Floating point is not contracted, so that figures are the same on every
# machine, and no path of the build gets into the program. A build with the
# sanitizers is run for a minute and compiled for two. In one that counts edges,
# each copy that inlining makes of a function would bring edges of its own, and a
# search be long behind them when it has seen all of the source.
CFLAGS ?= $(if $(SAN),$(if $(FUZZER),-O2 -g,-O1 -g1),-O2 -g\
          $(if $(FUZZER),-fno-inline))
warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wcast-qual \
            -Wwrite-strings -Wstrict-prototypes -Wmissing-prototypes -Wvla \
            -Wundef -Wformat=2 $(if $(WERROR),-Werror)
ifneq ($(SAN),)
sanitizers := -fno-omit-frame-pointer \
              -fsanitize=address,undefined,float-cast-overflow \
              -fno-sanitize-recover=all
endif
ifneq ($(FUZZER),)
sanitizers += -fsanitize=fuzzer-no-link
endif

# A sanitizer's finding must not look like one of the program's own statuses.
export ASAN_OPTIONS ?= exitcode=99:detect_stack_use_after_return=1
export UBSAN_OPTIONS ?= exitcode=99:print_stacktrace=1

# pkg-config is asked once, and only by the targets that compile.
protos := $(wildcard src/pprof/*.proto)
modules := libpcre2-8 yaml-0.1 zlib libxxhash sqlite3 $(if $(protos),libprotobuf-c)
deps = $(eval deps := $$(call ask_deps))$(deps)
ask_deps = $(shell PKG_CONFIG='$(PKG_CONFIG)' scripts/deps.sh $(STATIC_DEPS) \
           $(modules))$(if $(filter-out 0,$(.SHELLSTATUS)),$(error cannot build))
ifneq ($(STATIC),)
static_curl = $(eval static_curl := $$(call ask_curl))$(static_curl)
ask_curl = $(shell CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' \
           scripts/static_curl.sh flags)$(if \
           $(filter-out 0,$(.SHELLSTATUS)),$(error cannot build))
endif

cppflags = -Iinclude -Isrc -isystem $(BUILD)/gen -D_GNU_SOURCE \
           $(filter -I% -D%,$(deps) $(static_curl)) $(CPPFLAGS)
cflags = -std=c17 -pthread -fPIC -fvisibility=hidden -ffp-contract=off \
         -ffile-prefix-map=$(CURDIR)=. $(warnings) $(sanitizers) $(CFLAGS)
ldflags = -pthread -Wl,--as-needed $(sanitizers) $(CFLAGS) $(LDFLAGS)
libs = $(filter-out -I% -D%,$(deps)) -lm $(if $(STATIC),,-ldl) $(LDLIBS)
test_libs := -lcmocka -ljansson

# A program of the build runs on the machine that builds. Where that is another
# one, the libraries' headers that pkg-config tells of are not for it.
is_cross := $(if $(HOST_CC)$(HOST_CFLAGS)$(HOST_LDFLAGS)$(HOST_LIBS),yes)
is_native := $(if $(is_cross)$(SAN)$(FUZZER),,yes)
HOST_CC ?= $(CC)
HOST_CFLAGS ?= $(CPPFLAGS) $(CFLAGS)
HOST_LDFLAGS ?= $(CFLAGS) $(LDFLAGS)
HOST_LIBS ?= $(libs)
host_cflags = -Iinclude -Isrc -D_GNU_SOURCE -std=c17 $(warnings) \
              $(if $(is_cross),,$(filter -I% -D%,$(deps))) $(HOST_CFLAGS)

ifndef V
Q := @
say = @printf '  %-6s %s\n' $1 $(@:$(BUILD)/%=%)
endif

# --- What is built -----------------------------------------------------------

rules := $(sort $(wildcard rules/*.yaml))
headers := $(sort $(wildcard include/cprof/*.h))
cli_obj := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard src/cli/*.c)))
libcurl_other := src/http/$(if $(STATIC),libcurl.c,libcurl_linked.c)
lib_obj := $(patsubst %.c,$(BUILD)/%.o,$(filter-out src/cli/% $(libcurl_other),\
           $(sort $(wildcard src/*/*.c)))) $(BUILD)/gen/builtin_rules.o \
           $(BUILD)/gen/html_assets.o \
           $(protos:src/%.proto=$(BUILD)/gen/%.pb-c.o)
proto_h := $(protos:src/%.proto=$(BUILD)/gen/%.pb-c.h)
lib := $(BUILD)/libcprof.a
pack := $(BUILD)/host/pack_rules
# Which packs the rules, loads them as the program does. Its objects are those of
# the library, but where that is for another machine or instrumented.
pack_src := tools/pack_rules src/analysis/holding \
            $(addprefix src/rules/,bound bounds calls definitions explain \
            files held image image_write image_read link load load_rule \
            load_tests matches name_index nearest node override packed pattern \
            pattern_pool problems prose references rules schema sieve source \
            values words yaml_error) \
            $(addprefix src/base/,arena budget buf count error escape intern \
            pool str table utf8 version width width_table) \
            $(addprefix src/model/,name name_time options source_link state \
            symbols)
pack_obj := $(pack_src:%=$(if $(is_native),$(BUILD)/%.o,$(BUILD)/host/%.o))
program := $(BUILD)/cprof-leaks

# The program without a shared library.
static_program := $(BUILD)/cprof-leaks-static

# The library as others link it: shared, and as one object in which the names
# that are not public are nobody else's business.
soname := libcprof.so.0
shared := $(BUILD)/libcprof.so.$(VERSION)
archive := $(BUILD)/install/libcprof.a
shared_libs = $(eval shared_libs := $$(filter-out -I% -D%,$$(shell \
              PKG_CONFIG='$(PKG_CONFIG)' scripts/deps.sh no $(modules))))$(shared_libs)

# Tests: a *_test.c or *_fuzz.c is a program of its own, and what stands beside
# it is linked into each. Of tests/gen and tests/bench, the files with a main
# are the programs.
objects = $(patsubst %.c,$(BUILD)/%.o,$(sort $1))
mains_of = $(shell grep -ls '^int main' $(wildcard $1/*.c) /dev/null)

# What takes longest begins first, so that it ends with the others.
unit_slow := $(BUILD)/tests/unit/format_stacks_split_test \
             $(BUILD)/tests/unit/store_crash_test
unit := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/unit/*_test.c)))
unit := $(unit_slow) $(filter-out $(unit_slow),$(unit))
unit_obj := $(call objects,$(wildcard tests/unit/support/*.c))
comma := ,
conformance := $(patsubst %.c,$(BUILD)/%,\
               $(sort $(wildcard tests/conformance/*_test.c)))
conformance_obj := $(call objects,$(filter-out %_test.c,\
                   $(wildcard tests/conformance/*.c)))
fuzz := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/fuzz/*_fuzz.c)))
targets := $(fuzz:$(BUILD)/tests/fuzz/%_fuzz=%)
fuzz_obj := $(call objects,$(filter-out %_fuzz.c tests/fuzz/driver.c,\
            $(wildcard tests/fuzz/*.c)))
damage := $(BUILD)/tests/damage/damage
damage_obj := $(call objects,$(wildcard tests/damage/*.c))
faults := $(BUILD)/tests/faults/faults
faults_obj := $(call objects,$(filter-out %/failing_malloc.c \
              %/trespass.c,$(wildcard tests/faults/*.c)))
failing_malloc := $(BUILD)/tests/faults/failing_malloc.so
trespass := $(BUILD)/tests/faults/trespass.so
simulation := $(BUILD)/tests/simulation/growth $(BUILD)/tests/simulation/watch
simulation_obj := $(call objects,$(wildcard tests/simulation/*.c))
tool_mains := $(call mains_of,tests/gen) $(call mains_of,tests/bench)
helpers_in = $(call objects,$(filter-out $(tool_mains),$(wildcard $1/*.c)))
tools := $(patsubst %.c,$(BUILD)/gen/%,$(notdir $(tool_mains)))
test_obj := $(addsuffix .o,$(unit) $(conformance) $(fuzz)) $(unit_obj) \
            $(conformance_obj) $(fuzz_obj) $(BUILD)/tests/fuzz/driver.o \
            $(damage_obj) $(faults_obj) \
            $(simulation_obj) \
            $(call objects,$(wildcard tests/gen/*.c tests/bench/*.c))

test_env = CPROF_LEAKS='$(abspath $(or $(TESTED),$(program)))' FIXTURES='$(FIXTURES)' \
           GENDUMP='$(abspath $(BUILD)/gen/gendump)' \
           REPEATDUMP='$(abspath $(BUILD)/gen/repeatdump)' \
           MEASURE='$(abspath $(BUILD)/gen/measure)' \
           CHECKTRUTH='$(abspath $(BUILD)/gen/checktruth)' JOBS='$(JOBS)' \
           TRESPASS='$(abspath $(trespass))' \
           CPROF_LEAKS_NOSYSTEM=1 XDG_CONFIG_HOME=/nonexistent

.PHONY: all library static static-program deb package-check static-check \
        tests man faults check check-core check-full setup demo install \
        uninstall \
        unit unit-build kills conformance cli options bless replay \
        damage damage-build simulation \
        watch live live-long live-minute memory cost bench \
        fuzz fuzz-build fuzz-plain coverage coverage-run valgrind-unit valgrind-cli \
        valgrind-replay style layers headers docs rules-check rules-test \
        docs-rules docs-rules-check selftest install-check library-check \
        arm64-check reproducible \
        format format-check lint dist clean help FORCE

all: $(program)

library: $(shared) $(archive)

tests: $(unit) $(conformance) $(fuzz) $(damage) $(simulation) \
       $(faults) $(failing_malloc) $(trespass) \
       $(tools)

# Files that change when the command line of the compiler does, and the list of
# rule files, so that what depends on them is built again then.
$(BUILD)/flags: now = $(CC) $(cppflags) $(cflags) $(ldflags) $(libs) \
    $(HOST_CC) $(host_cflags) $(HOST_LDFLAGS) $(HOST_LIBS) $(VERSION)
$(BUILD)/rules: now = $(rules)
$(BUILD)/flags $(BUILD)/rules: FORCE
	$(shell mkdir -p $(@D))$(file >$@.new,$(now))
	@if cmp -s $@.new $@; then rm -f $@.new; else mv -f $@.new $@; fi

compile = $(Q)$(CC) $(cppflags) $(also) $(cflags) -MMD -MP -c $< -o $@
link = $(Q)$(CC) $(ldflags) $(filter %.o,$^) $(filter %.a,$^)
link_test = $(link) $(TEST_LDFLAGS)

$(BUILD)/%.o: %.c $(BUILD)/flags
	$(call say,CC)
	@mkdir -p $(@D)
	$(compile)

$(BUILD)/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/flags
	$(call say,CC)
	$(compile)

# The code that protoc-c makes is not ours to keep free of warnings.
$(BUILD)/gen/%.pb-c.o: $(BUILD)/gen/%.pb-c.c $(BUILD)/flags
	$(call say,CC)
	$(compile) -w

$(BUILD)/src/base/version.o $(BUILD)/host/src/base/version.o: private also := -DCPROF_VERSION='"$(VERSION)"'
$(unit:%=%.o) $(unit_obj): private also := -Itests/unit
$(damage_obj) $(faults_obj): private also := -Itests
# What reads an answer again, to check it, is not what is searched.
$(fuzz:%=%.o) $(fuzz_obj): private sanitizers := \
    $(filter-out -fsanitize=fuzzer-no-link,$(sanitizers))

$(BUILD)/host/%.o: %.c $(BUILD)/flags
	$(call say,CC)
	@mkdir -p $(@D)
	$(Q)$(HOST_CC) $(host_cflags) $(also) -MMD -MP -c $< -o $@

$(pack): $(pack_obj)
	$(call say,LINK)
	@mkdir -p $(@D)
	$(Q)$(HOST_CC) $(HOST_LDFLAGS) $^ $(HOST_LIBS) -o $@

$(BUILD)/gen/builtin_rules.c: $(rules) scripts/embed_rules.sh \
                              scripts/c_array.sh $(pack) \
                              $(BUILD)/rules
	$(call say,GEN)
	@mkdir -p $(@D)
	$(Q)scripts/embed_rules.sh $(pack) $(rules) >$@

# The style of the HTML report, and its script in parts.
page := $(addprefix src/report/page/,page.css $(addsuffix .js,base flame table \
        page))
$(BUILD)/gen/html_assets.c: $(page) scripts/embed_page.sh scripts/c_array.sh \
                            $(BUILD)/flags
	$(call say,GEN)
	@mkdir -p $(@D)
	$(Q)scripts/embed_page.sh $(page) >$@

$(BUILD)/gen/%.pb-c.c $(BUILD)/gen/%.pb-c.h: src/%.proto
	$(call say,GEN)
	@mkdir -p $(BUILD)/gen
	$(Q)protoc-c --proto_path=src --c_out=$(BUILD)/gen $<

# Before the first compilation nobody knows yet who includes what is made.
$(lib_obj) $(cli_obj) $(test_obj): | $(proto_h)

# The messages of a profile; the generator's code is not held to our warnings.
messages := $(BUILD)/gen/pprof/profile.pb-c
$(messages).c: src/pprof/profile.proto
	$(call say,GEN)
	@mkdir -p $(@D)
	$(Q)$(PROTOC_C) --c_out=$(@D) -I$(<D) $<

$(messages).h: $(messages).c ;
$(messages).o: private also := -w
$(BUILD)/src/pprof/profile.o: | $(messages).h

$(lib): $(lib_obj)
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcsD $@ $^

$(program): $(cli_obj) $(lib)
	$(call say,LINK)
	$(link) $(libs) -o $@

# The linker warns of what the C library may load when a name is looked up, which
# libcurl_linked.c rules out; so its words are shown only when it fails.
$(BUILD)/gen/absent.c: scripts/static_curl.sh $(BUILD)/flags
	$(call say,GEN)
	@mkdir -p $(@D)
	$(Q)PKG_CONFIG='$(PKG_CONFIG)' scripts/static_curl.sh absent >$@

$(static_program): $(cli_obj) $(lib) $(BUILD)/gen/absent.o
	$(call say,LINK)
	$(Q)$(CC) $(ldflags) -static-pie -Wl,--strip-debug $(filter %.o,$^) $(filter %.a,$^) \
	    -Wl,--start-group $(filter-out -I% -D%,$(static_curl)) $(libs) \
	    -Wl,--end-group -o $@ 2>$@.log || { cat $@.log; false; }

# Archives of libraries are seldom fit for a shared one, which names the shared
# ones instead.
$(shared): $(lib_obj) src/libcprof.map
	$(call say,LINK)
	$(Q)$(CC) $(ldflags) -shared -Wl,-soname,$(soname) -Wl,-z,defs \
	    -Wl,--version-script=src/libcprof.map $(filter %.o,$^) \
	    $(shared_libs) -lm -ldl $(LDLIBS) -o $@

$(archive): $(lib_obj)
	$(call say,AR)
	@mkdir -p $(@D)
	$(Q)$(LD) -r $^ -o $(@D)/libcprof.o
	$(Q)$(OBJCOPY) --localize-hidden $(@D)/libcprof.o
	$(Q)rm -f $@ && $(AR) rcsD $@ $(@D)/libcprof.o

$(unit): %: %.o $(unit_obj) $(lib)
	$(call say,LINK)
	$(link_test) $(test_libs) $(libs) -o $@

$(conformance): %: %.o $(conformance_obj)
	$(call say,LINK)
	$(link_test) $(test_libs) -lz $(LDLIBS) -o $@

$(foreach main,$(tool_mains),$(eval $(BUILD)/gen/$(notdir $(main:.c=)): \
    $(BUILD)/$(main:.c=.o) $(call helpers_in,$(patsubst %/,%,$(dir $(main))))))
$(tools):
	$(call say,LINK)
	@mkdir -p $(@D)
	$(link) -ljansson -lm $(LDLIBS) -o $@

# With PLAIN, a library that counts no edges, a target brings along those files
# that count (tests/fuzz/scopes.mk).
include tests/fuzz/scopes.mk
fuzz_lib = $(if $(and $(PLAIN),$(scope_$1)),\
           $(patsubst %.c,$(BUILD)/%.o,$(scope_$1)) $(PLAIN),$(lib))
$(foreach target,$(targets),$(eval $(BUILD)/tests/fuzz/$(target)_fuzz: \
    $(call fuzz_lib,$(target))))
fuzz_main := $(if $(FUZZER),,$(BUILD)/tests/fuzz/driver.o)
$(fuzz): %: %.o $(fuzz_main) $(fuzz_obj)
	$(call say,LINK)
	$(link_test) $(if $(FUZZER),-fsanitize=fuzzer) -ljansson $(libs) -o $@

$(damage): $(damage_obj) $(fuzz_obj) $(lib)
	$(call say,LINK)
	$(link_test) -ljansson $(libs) -o $@

$(faults): $(faults_obj) $(lib)
	$(call say,LINK)
	$(link_test) $(libs) -o $@

# They are loaded before everything else, a sanitizer as well.
$(failing_malloc) $(trespass): $(BUILD)/%.so: %.c $(BUILD)/flags
	$(call say,LINK)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE -fPIC -shared $(warnings) $(CFLAGS) \
	    -iquote tests $< -ldl -o $@

# watch also runs those parts of check that read no option and print nothing.
$(BUILD)/tests/simulation/watch: $(addprefix $(BUILD)/src/cli/check_,series.o \
                                 memory.o)
$(BUILD)/tests/simulation/growth: $(addprefix \
    $(BUILD)/tests/simulation/,processes.o staying.o)
$(simulation): %: %.o $(BUILD)/tests/simulation/families.o $(lib)
	$(call say,LINK)
	$(link_test) $(libs) -o $@

-include $(patsubst %.o,%.d,$(lib_obj) $(cli_obj) $(pack_obj) $(test_obj))

# --- Tests -------------------------------------------------------------------

# A list of steps (tests/steps) is run by tests/run.sh, which calls make again
# for each. Its last line is the sum of all counts.
run_steps = @TREE='$(TREE)' MAKE='$(MAKE)' CC='$(CC)' JOBS='$(JOBS)' \
            WERROR='$(if $(filter undefined,$(origin WERROR)),1,$(WERROR))' \
            tests/run.sh

check:
	@SETUP='$(SETUP)' scripts/setup.sh build core full
	$(run_steps) tests/steps/core.txt tests/steps/full.txt

check-core:
	@SETUP='$(SETUP)' scripts/setup.sh build core
	$(run_steps) tests/steps/core.txt

check-full:
	@SETUP='$(SETUP)' scripts/setup.sh build core full static package
	$(run_steps) tests/steps/core.txt tests/steps/full.txt \
	    --in-turn tests/steps/long.txt

unit-build: $(unit)

damage-build: $(damage)

unit: $(unit)
	$(Q)$(test_env) RUNNER='$(RUNNER)' tests/cmocka.sh $(unit)

# The writer of a history, killed KILLS times (200).
kills: $(BUILD)/tests/unit/store_crash_test
	$(Q)KILLS='$(or $(KILLS),200)' tests/cmocka.sh $<

# All, or some: NAMES=corpus,crash.
conformance: $(conformance) $(program)
	$(Q)$(test_env) tests/cmocka.sh $(if $(NAMES),$(addprefix \
	    $(BUILD)/tests/conformance/,$(addsuffix _test,$(subst $(comma), \
	    ,$(NAMES)))),$(conformance))

cli: $(program)
	$(Q)$(test_env) tests/cli/run.sh $(CASE)

options: $(program)
	$(Q)$(test_env) tests/options.sh

bless: $(program)
	$(Q)$(test_env) tests/cli/run.sh --bless $(CASE)

replay: $(fuzz)
	$(Q)$(test_env) tests/fuzz/replay.sh $(if $(CUTS),--cuts $(CUTS)) $(fuzz)

damage: $(damage)
	$(Q)$(test_env) tests/damage/run.sh --every $(EVERY) $(damage)

# Of each KIND all faults, or MOST a case, or OFTEN for the same callers.
faults: $(faults) $(failing_malloc) $(program)
	$(Q)$(test_env) FAULT_ALLOCATOR='$(abspath $(failing_malloc))' \
	    tests/faults/run.sh $(if $(MOST),--most $(MOST)) \
	    $(if $(OFTEN),--often $(OFTEN)) \
	    $(if $(NAME),--only $(NAME)) \
	    $(faults) $(or $(KIND),memory lasting disk signal)

# 2,000 services a family take about half a minute.
simulation: $(BUILD)/tests/simulation/growth
	$(Q)$< $(RUNS)

# A service watched for some runs of check, with and without a leak.
watch: $(BUILD)/tests/simulation/watch
	$(Q)$< $(RUNS)

live: $(program) $(trespass)
	$(Q)$(test_env) tests/each.sh $(if $(NAMES),$(patsubst \
	    %,tests/live/%.sh,$(subst $(comma), ,$(NAMES))),\
	    $(sort $(wildcard tests/live/*.sh)))

# A healthy server is looked at more often than `live` has time for.
live-long: $(program)
	$(Q)$(test_env) CHECK_RUNS=200 SCHEMA_EVERY=1 \
	    tests/each.sh tests/live/check.sh tests/live/schema.sh

live-minute: $(program)
	$(Q)$(test_env) DIFF_SECONDS=60 DIFF_RATE=20 tests/live/diff.sh

memory: $(program) $(tools)
	$(Q)$(test_env) HUGE='$(HUGE)' tests/bench/memory.sh

# NAMES are the texts to try, of tests/cost/units.txt.
cost: $(program)
	$(Q)$(test_env) NAMES='$(NAMES)' tests/cost/cost.sh

bench: $(program) $(tools)
	$(Q)$(test_env) BENCH_DIR='$(or $(BENCH_DIR),$(BUILD)/bench)' \
	    tests/bench/bench.sh

# The fuzz programs of `make fuzz` are libFuzzer's own and stand apart. Those of
# the first build are quick, those of the second have the sanitizers.
fuzz:
	@$(MAKE) BUILD='$(TREE)/fuzz-plain' CC=clang fuzz-plain
	@$(MAKE) BUILD='$(TREE)/fuzz' CC=clang FUZZER=1 \
	    PLAIN='$(TREE)/fuzz-plain/libcprof.a' fuzz-build
	@$(MAKE) BUILD='$(TREE)/fuzz-san' CC=clang SAN=1 FUZZER=1 fuzz-build
	$(Q)FUZZ_TIME='$(FUZZ_TIME)' FUZZ_QUIET='$(FUZZ_QUIET)' JOBS='$(JOBS)' \
	    tests/fuzz/search.sh '$(TREE)/fuzz/tests/fuzz' \
	    '$(TREE)/fuzz-san/tests/fuzz' $(targets)

fuzz-build: $(fuzz)
fuzz-plain: $(lib)

# Each program writes its counts by itself, wherever it is run from.
coverage: counts = $(abspath $(TREE))/coverage/counts
coverage:
	@$(MAKE) BUILD='$(TREE)/coverage' CC=clang CFLAGS='-O1 -g -w \
	    -fcoverage-mapping -fprofile-instr-generate=$(counts)/raw/%8m.profraw' \
	    coverage-run

coverage-run: $(fuzz) $(unit) $(conformance) $(damage) $(faults) \
              $(failing_malloc) $(program)
	$(Q)$(test_env) CPROF_LEAKS_NOCONFINE=1 \
	    FAULT_ALLOCATOR='$(abspath $(failing_malloc))' \
	    tests/coverage.sh '$(BUILD)' '$(BUILD)/counts'

valgrind-unit: $(unit)
	$(Q)$(test_env) tests/cmocka.sh --valgrind $(unit)

valgrind-replay: $(fuzz)
	$(Q)$(test_env) tests/fuzz/replay.sh --valgrind --cuts 64 $(fuzz)

# CASES=all takes every case, otherwise 50.
valgrind-cli: $(program)
	$(Q)$(test_env) VALGRIND=1 tests/cli/run.sh $(if $(filter all,$(CASES)),,\
	    $(shell tests/cli/valgrind_cases.sh))

style:
	@tests/style.sh src include tests tools

layers:
	@tests/layers.sh src include

headers: $(proto_h)
	@CC='$(CC)' CPPFLAGS='$(cppflags)' tests/headers.sh src include

documents = README.md $(sort $(wildcard docs/*.md))

docs: $(program)
	$(Q)$(test_env) tests/docs.sh $(documents)
	@tests/pages.sh $(documents)
	@awk '/^```c$$/ { on = 1; next } /^```/ { on = 0 } on' \
	    docs/adding-a-writer.md | $(CC) $(cppflags) -std=c17 -Wall -Wextra \
	    -Werror -fsyntax-only -x c -

rules-check: $(program)
	$(Q)$(program) rules check --strict

rules-test: $(program)
	$(Q)$(program) rules test

# The reference is what the program says of its own rules.
reference := docs/rules-reference.md
explain_rules = $(program) rules explain --all --no-user-rules -o markdown

docs-rules: $(program)
	$(Q)$(explain_rules) -O $(reference)

docs-rules-check: $(program)
	$(Q)$(explain_rules) | diff -u $(reference) - || \
	    { echo 'run: make docs-rules'; false; }

selftest:
	@tests/each.sh $(sort $(wildcard tests/selftest/*_test.sh))

install-check: $(program)
	@MAKE='$(MAKE)' BUILD='$(BUILD)' tests/install.sh

library-check: $(program) $(shared) $(archive)
	@MAKE='$(MAKE)' BUILD='$(BUILD)' CC='$(CC)' tests/library.sh

# The tests of addresses are those of the program that loads libcurl.
static-check: static
	$(Q)$(test_env) STATIC=1 \
	    CPROF_LEAKS='$(abspath $(TREE))/static/cprof-leaks-static' \
	    tests/each.sh tests/static.sh tests/live/fetch.sh

# A new Debian takes longer than other scripts may.
package-check: deb
	$(Q)PACKAGES='$(TREE)/deb' EACH_LIMIT=900 tests/each.sh tests/package.sh

# In an emulator, which takes its time.
arm64-check: all $(conformance)
	$(Q)BUILD='$(TREE)/arm64' NATIVE='$(BUILD)' MAKE='$(MAKE)' JOBS='$(JOBS)' \
	    FIXTURES='$(FIXTURES)' EACH_LIMIT=3600 tests/each.sh tests/arm64.sh

reproducible:
	@MAKE='$(MAKE)' JOBS='$(JOBS)' tests/reproducible.sh

# --- Form --------------------------------------------------------------------

c_files := $(sort $(shell find src include tests tools -name '*.[ch]'))
scripts = .ci/run $(sort $(shell find scripts tests -name '*.sh')) \
          $(filter-out %/control,$(wildcard debian/tests/*)) \
          $(wildcard tests/live/documents/bin/*)
tidy = $(if $(QUICK),lint-quick,lint)
lint_ok = $(patsubst %.c,$(TREE)/$(tidy)/%.ok,$(filter src/%.c,$(c_files)))

format:
	@$(CLANG_FORMAT) -i $(c_files)

format-check:
	@$(CLANG_FORMAT) --dry-run -Werror $(c_files)

# clang-tidy takes seconds for a file, so what was found clean is remembered
# until the file or a header changes. QUICK=1 leaves out the analyser, which
# takes nearly all of that time.
lint: $(lint_ok)
	@shellcheck $(scripts)

$(TREE)/$(tidy)/src/pprof/profile.ok: | $(messages).h

$(TREE)/$(tidy)/%.ok: %.c .clang-tidy $(filter %.h,$(c_files)) | $(proto_h)
	@printf '  %-6s %s\n' TIDY $<
	@mkdir -p $(@D)
	$(Q)$(CLANG_TIDY) --quiet $(if $(QUICK),--checks='-clang-analyzer-*') $< -- -std=c17 $(cppflags) \
	    -DCPROF_VERSION='"$(VERSION)"' 2>$@.log || { cat $@.log; false; }
	@touch $@

# --- Set-up, installing ------------------------------------------------------

setup:
	@SETUP='$(SETUP)' scripts/setup.sh build core full

# A second make, because libraries may be there only after the set-up.
demo:
	@SETUP='$(SETUP)' scripts/setup.sh build
	@$(MAKE) all
	@scripts/demo.sh $(program) fixtures/seed.debug1.txt

# A second make again, for the same reason.
static:
	@SETUP='$(SETUP)' scripts/setup.sh build static
	@$(MAKE) STATIC=1 BUILD='$(TREE)/static' static-program

static-program: $(static_program)

deb:
	@SETUP='$(SETUP)' scripts/setup.sh build core package
	@scripts/deb.sh '$(TREE)/deb'

docs_installed = README.md LICENSE NOTICE $(sort $(wildcard docs/*.*))
examples = $(sort $(wildcard docs/examples/*.c))
fill_in = sed -e 's|@prefix@|$(prefix)|' -e 's|@libdir@|$(libdir)|' \
          -e 's|@includedir@|$(includedir)|' -e 's|@version@|$(VERSION)|' \
          -e 's|@modules@|$(modules)|'

# Manual pages: one is what the program says of itself, the others are made of
# the documents. A program for another machine is run by RUN.
manual := $(BUILD)/man
pages := $(manual)/cprof-leaks.1 $(manual)/cprof-leaks-rules.5 \
         $(manual)/cprof-leaks-report.5
md2man = awk -v name='$(basename $(@F))' -v section=5 -v version='$(VERSION)' \
         -v date='$(RELEASED)' -v about='$(about)' \
         -f scripts/md2man.awk

$(manual)/cprof-leaks.1: $(program)
	@mkdir -p $(@D)
	$(Q)$(RUN) $< help --man | sed '1s/""/"$(RELEASED)"/' >$@

$(manual)/cprof-leaks-rules.5: private about := what rules of cprof-leaks say
$(manual)/cprof-leaks-report.5: private about := reports of cprof-leaks in JSON
$(manual)/cprof-leaks-rules.5: docs/rules.md scripts/md2man.awk
	@mkdir -p $(@D)
	$(Q)$(md2man) $< >$@

$(manual)/cprof-leaks-report.5: docs/report-format.md scripts/md2man.awk
	@mkdir -p $(@D)
	$(Q)$(md2man) $< >$@

man: $(pages)

# Rules of Prometheus, units of systemd and the like, for people to copy. Units
# name the place of the program.
recipes := $(sort $(wildcard share/*/*))

# What a command prints, as a file with the rights of all others: a redirection
# would leave them to the umask.
install_output = $1 >$(BUILD)/output && \
                 $(INSTALL) -D -m 644 $(BUILD)/output $(DESTDIR)$2
complete = $(RUN) $(program) completion

install: $(program) $(shared) $(archive) $(pages)
	$(INSTALL) -D -m 755 $(program) $(DESTDIR)$(bindir)/cprof-leaks
	$(INSTALL) -d $(DESTDIR)$(mandir)/man1 $(DESTDIR)$(mandir)/man5
	$(INSTALL) -m 644 $(filter %.1,$(pages)) $(DESTDIR)$(mandir)/man1
	$(INSTALL) -m 644 $(filter %.5,$(pages)) $(DESTDIR)$(mandir)/man5
	$(INSTALL) -d $(DESTDIR)$(bashdir) $(DESTDIR)$(zshdir) $(DESTDIR)$(fishdir)
	$(call install_output,$(complete) bash,$(bashdir)/cprof-leaks)
	$(call install_output,$(complete) zsh,$(zshdir)/_cprof-leaks)
	$(call install_output,$(complete) fish,$(fishdir)/cprof-leaks.fish)
	$(INSTALL) -d $(DESTDIR)$(datadir)/cprof-leaks/rules $(DESTDIR)$(docdir)
	$(INSTALL) -m 644 $(rules) $(DESTDIR)$(datadir)/cprof-leaks/rules
	$(INSTALL) -m 644 $(docs_installed) $(DESTDIR)$(docdir)
	$(INSTALL) -d $(DESTDIR)$(docdir)/examples
	$(INSTALL) -m 644 $(examples) $(DESTDIR)$(docdir)/examples
	$(Q)for file in $(recipes:share/%=%); do \
	    sed 's|/usr/local/bin/cprof-leaks|$(bindir)/cprof-leaks|' \
	        share/$$file >$(BUILD)/recipe && \
	    $(INSTALL) -D -m 644 $(BUILD)/recipe \
	        $(DESTDIR)$(datadir)/cprof-leaks/$$file || exit 1; \
	done
	$(INSTALL) -d $(DESTDIR)$(includedir)/cprof
	$(INSTALL) -m 644 $(headers) $(DESTDIR)$(includedir)/cprof
	$(INSTALL) -d $(DESTDIR)$(libdir) $(DESTDIR)$(pkgconfigdir)
	$(INSTALL) -m 644 $(shared) $(archive) $(DESTDIR)$(libdir)
	ln -sf $(notdir $(shared)) $(DESTDIR)$(libdir)/$(soname)
	ln -sf $(soname) $(DESTDIR)$(libdir)/libcprof.so
	$(call install_output,$(fill_in) scripts/libcprof.pc.in,$(pkgconfigdir)/libcprof.pc)

uninstall:
	rm -f $(filter %.5,$(pages:$(manual)/%=$(DESTDIR)$(mandir)/man5/%)) \
	    $(filter %.1,$(pages:$(manual)/%=$(DESTDIR)$(mandir)/man1/%)) \
	    $(DESTDIR)$(bashdir)/cprof-leaks $(DESTDIR)$(zshdir)/_cprof-leaks \
	    $(DESTDIR)$(fishdir)/cprof-leaks.fish
	rm -f $(DESTDIR)$(bindir)/cprof-leaks $(DESTDIR)$(libdir)/libcprof.a \
	    $(DESTDIR)$(libdir)/libcprof.so* $(DESTDIR)$(pkgconfigdir)/libcprof.pc
	rm -rf $(DESTDIR)$(datadir)/cprof-leaks $(DESTDIR)$(docdir) \
	    $(DESTDIR)$(includedir)/cprof

dist:
	@mkdir -p $(TREE)
	git archive --prefix=cprof-leaks-$(VERSION)/ HEAD | gzip -n -9 \
	    >$(TREE)/cprof-leaks-$(VERSION).tar.gz

clean:
	rm -rf '$(TREE)'

help:
	@sed -n 's/^# \(make.*\)/\1/p' Makefile
