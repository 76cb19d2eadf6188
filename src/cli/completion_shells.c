/* The scripts of completion.h. Each asks which command the line is of, then
 * completes its options, their values, and its inputs. */
#include <stdio.h>

#include "cli/completion.h"

/* What prints the ids of all rules, a line each. */
static const char list_ids[] =
    "cprof-leaks rules list -o json 2>/dev/null |\n"
    "        sed -n 's/^ *\"id\": \"\\([^\"]*\\)\".*/\\1/p'";

/* Prints text for a string in single quotes of a POSIX shell, in which the
 * character also is quoted by a backslash. */
static void put_quoted(const char *text, const char *also)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
            continue;
        }
        if (strchr(also, *text))
            putchar('\\');
        putchar(*text);
    }
}

/* Whether the command is of two words, and that is the first of them. */
static bool is_of_family(const struct command *command)
{
    for (size_t i = 0; i < n_commands; i++) {
        if (command_is_of(command, &commands[i]))
            return true;
    }
    return false;
}

/* The second word of such a command. */
static const char *last_word(const struct command *command)
{
    return strchr(command->name, ' ') + 1;
}

/* Prints the first words of all commands, or the second of a family. */
static void put_words(const struct command *family)
{
    const char *blank = "";

    for (size_t i = 0; i < n_commands; i++) {
        if (family ? !command_is_of(&commands[i], family)
                   : is_of_family(&commands[i]))
            continue;
        printf("%s%s", blank,
               family ? last_word(&commands[i]) : commands[i].name);
        blank = " ";
    }
    if (!family)
        fputs(" help", stdout);
}

/* --- bash ----------------------------------------------------------------- */

static void put_bash_value(struct completed_value value)
{
    switch (value.kind) {
    case COMPLETED_NOTHING:
        fputs(":", stdout);
        break;
    case COMPLETED_FILE:
        printf("_cprof_leaks_files '%s'", value.words ? value.words : "");
        break;
    case COMPLETED_WORDS:
        printf("_cprof_leaks_words '%s'", value.words);
        break;
    case COMPLETED_RULE:
        fputs("_cprof_leaks_words \"$(_cprof_leaks_rules)\"", stdout);
        break;
    }
}

static void put_bash_options(const struct command *command)
{
    struct option_view option;

    for (size_t at = 0; option_next(command, &at, &option);)
        printf(" --%s%s", option.name, option.argument ? "=" : "");
}

static void put_bash_values(const struct command *command)
{
    struct option_view option;

    for (size_t at = 0; option_next(command, &at, &option);) {
        if (!option.argument)
            continue;
        printf("    '%s:--%s'", command->name, option.name);
        if (option.letter)
            printf(" | '%s:-%c'", command->name, option.letter);
        fputs(") ", stdout);
        put_bash_value(completion_of_option(command, &option));
        fputs("; return ;;\n", stdout);
    }
}

/* Which command the words before the cursor are of. */
static void put_bash_command(void)
{
    fputs("    local command=analyze word is_first=1\n"
          "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
          "        case $is_first:$command:$word in\n"
          "        *:-*) ;;\n",
          stdout);
    for (size_t i = 0; i < n_commands; i++) {
        struct str name = str_from(commands[i].name);
        size_t blank = str_find(name, ' ');

        if (blank < name.len)
            printf("        '0:" STR_FORMAT ":%s') command='%s' ;;\n",
                   STR_ARG(str_head(name, blank)), last_word(&commands[i]),
                   commands[i].name);
        else
            printf("        '1:analyze:%s') command=%s is_first=0 ;;\n",
                   commands[i].name, commands[i].name);
    }
    fputs("        '1:analyze:help') command=help is_first=0 ;;\n"
          "        esac\n"
          "    done\n",
          stdout);
}

void completion_print_bash(void)
{
    printf("# bash completion for cprof-leaks: cprof-leaks completion bash\n"
           "_cprof_leaks_words() {\n"
           "    local IFS=$' \\n'\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n"
           "    [[ ${COMPREPLY[0]-} == *[:=] ]] && compopt -o nospace\n"
           "}\n\n"
           "_cprof_leaks_files() {\n"
           "    mapfile -t COMPREPLY < <(compgen -f -W \"$1\" -- \"$cur\")\n"
           "    compopt -o filenames\n"
           "}\n\n"
           "_cprof_leaks_rules() {\n"
           "    %s\n"
           "}\n\n"
           "_cprof_leaks() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]}\n"
           "    local prev=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    # \"--option=value\" comes as three words.\n"
           "    if [[ $cur == '=' ]]; then\n"
           "        cur=\n"
           "    elif [[ $prev == '=' ]]; then\n"
           "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
           "    fi\n",
           list_ids);
    put_bash_command();
    fputs("    case $command:$prev in\n", stdout);
    for (size_t i = 0; i < n_commands; i++)
        put_bash_values(&commands[i]);
    fputs("    esac\n    case $command:$cur in\n", stdout);
    for (size_t i = 0; i < n_commands; i++) {
        printf("    '%s:-'*) _cprof_leaks_words '", commands[i].name);
        put_bash_options(&commands[i]);
        fputs("' ;;\n", stdout);
    }
    for (size_t i = 1; i < n_commands; i++) {
        printf("    '%s:'*) ", commands[i].name);
        if (commands[i].bit & FOR_FAMILIES) {
            fputs("_cprof_leaks_words '", stdout);
            put_words(&commands[i]);
            putchar('\'');
        } else {
            put_bash_value(completion_of_input(&commands[i]));
        }
        fputs(" ;;\n", stdout);
    }
    fputs("    help:*) _cprof_leaks_words '", stdout);
    put_words(NULL);
    fputs("' ;;\n    *)\n        if ((is_first)); then\n"
          "            _cprof_leaks_files '",
          stdout);
    put_words(NULL);
    fputs("'\n        fi\n        ;;\n    esac\n}\n\n"
          "complete -F _cprof_leaks cprof-leaks\n",
          stdout);
}

/* --- zsh ------------------------------------------------------------------ */

static void put_zsh_value(struct completed_value value)
{
    switch (value.kind) {
    case COMPLETED_NOTHING:
        putchar(' ');
        break;
    case COMPLETED_FILE:
        if (value.words)
            printf("_cprof_leaks_or_files %s", value.words);
        else
            fputs("_files", stdout);
        break;
    case COMPLETED_WORDS:
        fputs("(", stdout);
        put_quoted(value.words, ":");
        fputs(")", stdout);
        break;
    case COMPLETED_RULE:
        fputs("_cprof_leaks_rules", stdout);
        break;
    }
}

static void put_zsh_option(const struct command *command,
                           const struct option_view *option)
{
    const char *ends = option->argument ? "=" : "";

    if (option->letter)
        printf("        '(-%c --%s)'{-%c%s,--%s%s}'[", option->letter,
               option->name, option->letter, option->argument ? "+" : "",
               option->name, ends);
    else
        printf("        '*--%s%s[", option->name, ends);
    put_quoted(option->help, "[]:");
    putchar(']');
    if (option->argument) {
        putchar(':');
        put_quoted(option->argument, ":[]");
        putchar(':');
        put_zsh_value(completion_of_option(command, option));
    }
    fputs("' \\\n", stdout);
}

/* What completes the options and inputs of a command. */
static void put_zsh_command(const struct command *command)
{
    struct option_view option;

    printf("    '%s')\n        _arguments -s -S \\\n", command->name);
    for (size_t at = 0; option_next(command, &at, &option);)
        put_zsh_option(command, &option);
    fputs("        '*:input:", stdout);
    if (command->bit & FOR_FAMILIES) {
        putchar('(');
        put_words(command);
        putchar(')');
    } else {
        put_zsh_value(completion_of_input(command));
    }
    fputs("'\n        ;;\n", stdout);
}

void completion_print_zsh(void)
{
    printf("#compdef cprof-leaks\n"
           "# zsh completion for cprof-leaks: cprof-leaks completion zsh\n"
           "_cprof_leaks_rules() {\n"
           "    local -a ids\n"
           "    ids=(${(f)\"$(%s)\"})\n"
           "    compadd -a ids\n"
           "}\n\n"
           "_cprof_leaks_or_files() {\n"
           "    local -a words=($1)\n"
           "    compadd -a words\n"
           "    _files\n"
           "}\n\n"
           "_cprof_leaks() {\n"
           "    local curcontext=$curcontext command=analyze\n"
           "    local -i at=2\n"
           "    local -a firsts=(",
           list_ids);
    put_words(NULL);
    fputs(")\n"
          "    if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
          "        _alternative \"commands:command:($firsts)\" "
          "'files:file:_files'\n"
          "        return\n"
          "    fi\n"
          "    if ((CURRENT > 2)) && [[ -n ${firsts[(r)$words[2]]} ]]; then\n"
          "        command=$words[2]\n"
          "        shift words; ((CURRENT--))\n"
          "        case $command:$words[2] in\n",
          stdout);
    for (size_t i = 0; i < n_commands; i++) {
        if (is_of_family(&commands[i]))
            printf("        '%.*s:%s')\n            if ((CURRENT > 2)); then "
                   "command='%s'; shift words; ((CURRENT--)); fi ;;\n",
                   (int)strcspn(commands[i].name, " "), commands[i].name,
                   last_word(&commands[i]), commands[i].name);
    }
    fputs("        esac\n    fi\n    case $command in\n", stdout);
    for (size_t i = 0; i < n_commands; i++)
        put_zsh_command(&commands[i]);
    fputs("    help) compadd ", stdout);
    put_words(NULL);
    fputs(" ;;\n    esac\n}\n\n_cprof_leaks \"$@\"\n", stdout);
}

/* --- fish ----------------------------------------------------------------- */

static void put_fish_value(struct completed_value value)
{
    switch (value.kind) {
    case COMPLETED_NOTHING:
        fputs(" -x", stdout);
        break;
    case COMPLETED_FILE:
        fputs(" -r -F", stdout);
        break;
    case COMPLETED_WORDS:
        fputs(" -x", stdout);
        break;
    case COMPLETED_RULE:
        fputs(" -x -a '(__cprof_leaks_rules)'", stdout);
        break;
    }
    if (value.words)
        printf(" -a '%s'", value.words);
}

static void put_fish_command(const struct command *command)
{
    struct completed_value value = completion_of_input(command);
    struct option_view option;

    for (size_t at = 0; option_next(command, &at, &option);) {
        printf("complete -c cprof-leaks -n \"__cprof_leaks_is '%s'\" -l %s",
               command->name, option.name);
        if (option.letter)
            printf(" -s %c", option.letter);
        if (option.argument)
            put_fish_value(completion_of_option(command, &option));
        fputs(" -d '", stdout);
        put_quoted(option.help, "");
        fputs("'\n", stdout);
    }
    if (command->bit & FOR_FAMILIES) {
        printf("complete -c cprof-leaks -n \"__cprof_leaks_is '%s'\" -f -a '",
               command->name);
        put_words(command);
        fputs("'\n", stdout);
    } else if (value.kind != COMPLETED_FILE) {
        printf("complete -c cprof-leaks -n \"__cprof_leaks_is '%s'\" -f",
               command->name);
        if (value.kind != COMPLETED_NOTHING)
            put_fish_value(value);
        putchar('\n');
    }
}

void completion_print_fish(void)
{
    printf("# fish completion for cprof-leaks: cprof-leaks completion fish\n"
           "function __cprof_leaks_rules\n"
           "    %s\n"
           "end\n\n"
           "# Whether the line is of a command, of one word or of two.\n"
           "function __cprof_leaks_is\n"
           "    set -l words (commandline -opc)\n"
           "    set -l command analyze\n"
           "    if contains -- \"$words[2]\" ",
           list_ids);
    put_words(NULL);
    fputs("\n        set command $words[2]\n    end\n"
          "    switch \"$command $words[3]\"\n",
          stdout);
    for (size_t i = 0; i < n_commands; i++) {
        if (is_of_family(&commands[i]))
            printf("        case '%s'\n            set command '%s'\n",
                   commands[i].name, commands[i].name);
    }
    fputs("    end\n    test \"$command\" = \"$argv[1]\"\nend\n\n"
          "complete -c cprof-leaks -n __fish_is_first_token -a '",
          stdout);
    put_words(NULL);
    fputs("'\ncomplete -c cprof-leaks -n \"__cprof_leaks_is help\" -f -a '",
          stdout);
    put_words(NULL);
    fputs("'\n", stdout);
    for (size_t i = 0; i < n_commands; i++)
        put_fish_command(&commands[i]);
}
