package org.terrace.cluster.sql;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The functions of the two engines that the cluster knows, by what they depend on. */
final class FunctionCatalog {
  /** The nature of a function: the things its result depends on. */
  enum Nature {
    /** Its arguments alone: the same at every replica. */
    PURE,
    /** The moment or chance, but the same for all rows of a statement. */
    ONCE,
    /** The moment or chance, anew at each call. */
    EACH_TIME,
    /** The order in which rows come, unless told, or rounding that depends on it. */
    ORDER,
    /** The server that is asked: its files, its settings, the way to it. */
    SERVER,
    /** A sequence. */
    SEQUENCE,
    /** The session's earlier statements at one server. */
    SESSION,
    /** A lock with a name, which no table has. */
    NAMED_LOCK
  }

  /**
   * A function.
   *
   * @param type the SQL type of its result, to which text is cast; null where text will do
   */
  record Known(Nature nature, @Nullable String type) {}

  /** Words that may stand before a parenthesis without being functions. */
  private static final Set<String> NOT_CALLS =
      words(
          "in and or not on using as any all some exists values over filter group by from join where"
              + " select case when then else set returning into table with recursive partition"
              + " between like is key unique primary check references conflict update default union"
              + " except intersect having order lateral within row interval distinct limit"
              + " offset only materialized within escape ilike similar collate end rows range");

  private static final Set<String> BOTH_PURE =
      words(
          "abs ceil ceiling floor round mod power sqrt sign greatest least exp ln log log10 coalesce"
              + " nullif lower upper length char_length character_length octet_length bit_length trim"
              + " ltrim rtrim lpad rpad substring substr replace reverse repeat left right concat"
              + " concat_ws position strpos overlay ascii chr md5 sha1 sha2 hex extract cast convert"
              + " translate initcap split_part regexp_replace regexp_like regexp_substr regexp_instr"
              + " date_trunc date_part age make_date make_time make_timestamp make_interval to_char"
              + " to_date to_number to_timestamp count min max bool_and bool_or every bit_and bit_or"
              + " array_length cardinality array_append array_prepend array_cat array_remove"
              + " array_position array_to_string string_to_array unnest generate_series encode decode"
              + " json_build_object jsonb_build_object json_build_array jsonb_build_array to_json"
              + " to_jsonb jsonb_set jsonb_insert json_object json_array json_extract json_unquote"
              + " json_set json_insert json_replace json_remove json_value json_query json_length"
              + " jsonb_array_length json_array_length jsonb_extract_path jsonb_extract_path_text"
              + " jsonb_array_elements jsonb_array_elements_text jsonb_each jsonb_each_text"
              + " json_contains json_valid if ifnull isnull date_add date_sub adddate subdate datediff"
              + " timestampdiff timestampadd date_format str_to_date year month day dayofmonth"
              + " dayofweek dayofyear hour minute second week quarter last_day from_days to_days"
              + " unhex instr locate field elt find_in_set space truncate crc32 conv bin oct format"
              + " strcmp cot sin cos tan asin acos atan atan2 degrees radians pi div trunc"
              + " grouping row_to_json starts_with btrim quote_literal quote_ident quote"
              + " current_schema current_schemas current_database database schema user current_user current_role"
              + " substring_index session_user version pg_typeof set_masklen host inet_aton inet_ntoa char binary");

  /** The functions of PostgreSQL among them that make several rows of one. */
  private static final Set<String> OF_SETS =
      words(
          "generate_series unnest jsonb_array_elements jsonb_array_elements_text jsonb_each"
              + " jsonb_each_text _pg_expandarray");

  private static final Map<String, Known> POSTGRESQL = postgresql();
  private static final Map<String, Known> MARIADB = mariaDb();

  private FunctionCatalog() {}

  static boolean mayBeCall(String name) {
    return !NOT_CALLS.contains(name);
  }

  /** Whether a function of the engine makes several rows of one, by its name in lower case. */
  static boolean isOfSets(Engine engine, String name) {
    return engine == Engine.POSTGRESQL && OF_SETS.contains(name);
  }

  /** The known facts of a function, by its name in lower case. */
  static Optional<Known> find(Engine engine, String name) {
    Known known =
        switch (engine) {
          case POSTGRESQL -> POSTGRESQL.get(name);
          case MARIADB -> MARIADB.get(name);
        };
    if (known == null && BOTH_PURE.contains(name)) {
      known = new Known(Nature.PURE, null);
    }
    return Optional.ofNullable(known);
  }

  /**
   * The same of a call at a piece, whose arguments may tell more: the age of one moment is that at
   * present, and a setting that sessions take along is the same everywhere.
   */
  static Optional<Known> findAt(Engine engine, List<SqlToken> tokens, int i) {
    String name = tokens.get(i).name();
    if (engine == Engine.POSTGRESQL && i + 2 < tokens.size()) {
      if (name.equals("age") && isSingle(tokens, i + 1)) {
        return Optional.of(new Known(Nature.ONCE, "interval"));
      }
      if (name.equals("current_setting") && SessionSetting.isTakenAlong(tokens.get(i + 2))) {
        return Optional.of(new Known(Nature.PURE, null));
      }
    }
    return find(engine, name);
  }

  /** Whether there is at most one argument in a parenthesis. */
  private static boolean isSingle(List<SqlToken> tokens, int open) {
    int depth = 0;
    int close = CallScan.closing(tokens, open);
    for (int i = open; i < close; i++) {
      depth += tokens.get(i).isSymbol("(") ? 1 : tokens.get(i).isSymbol(")") ? -1 : 0;
      if (depth == 1 && tokens.get(i).isSymbol(",")) {
        return false;
      }
    }
    return true;
  }

  /** The functions that are called without parentheses. */
  static boolean isCalledBare(String name) {
    return switch (name) {
      case "current_timestamp",
          "current_date",
          "current_time",
          "localtimestamp",
          "localtime",
          "current_user",
          "current_role",
          "utc_timestamp",
          "utc_date",
          "utc_time" ->
          true;
      default -> false;
    };
  }

  private static Map<String, Known> postgresql() {
    Map<String, Known> known = new HashMap<>();
    put(known, Nature.ONCE, "timestamptz", "now current_timestamp transaction_timestamp");
    put(known, Nature.ONCE, "timestamptz", "statement_timestamp");
    put(known, Nature.ONCE, "timestamp", "localtimestamp");
    put(known, Nature.ONCE, "date", "current_date");
    put(known, Nature.ONCE, "timetz", "current_time");
    put(known, Nature.ONCE, "time", "localtime");
    put(known, Nature.EACH_TIME, "timestamptz", "clock_timestamp");
    put(known, Nature.EACH_TIME, "double precision", "random");
    put(known, Nature.EACH_TIME, "double precision", "random_normal");
    put(known, Nature.EACH_TIME, "uuid", "gen_random_uuid uuidv4 uuidv7 uuid_generate_v4");
    put(known, Nature.EACH_TIME, "uuid", "uuid_generate_v1 uuid_generate_v1mc");
    put(known, Nature.EACH_TIME, "text", "timeofday");
    put(
        known,
        Nature.ORDER,
        null,
        "sum avg string_agg array_agg json_agg jsonb_agg json_object_agg");
    put(
        known,
        Nature.ORDER,
        null,
        "jsonb_object_agg xmlagg stddev variance stddev_pop stddev_samp");
    put(known, Nature.ORDER, null, "var_pop var_samp row_number rank dense_rank ntile first_value");
    put(known, Nature.ORDER, null, "last_value lag lead percentile_cont percentile_disc mode corr");
    put(known, Nature.ORDER, null, "nth_value percent_rank cume_dist array");
    put(known, Nature.SEQUENCE, null, "nextval setval");
    put(known, Nature.SESSION, null, "currval lastval pg_backend_pid txid_current");
    put(known, Nature.SESSION, null, "pg_current_xact_id set_config inet_client_port");
    for (String lock : List.of("lock", "xact_lock", "lock_shared", "xact_lock_shared")) {
      put(known, Nature.NAMED_LOCK, null, "pg_advisory_" + lock + " pg_try_advisory_" + lock);
    }
    put(known, Nature.NAMED_LOCK, null, "pg_advisory_unlock pg_advisory_unlock_shared");
    put(known, Nature.NAMED_LOCK, null, "pg_advisory_unlock_all");
    // What is numbered by each server for itself, granted there, or told of how it was built.
    put(known, Nature.SERVER, null, "pg_get_expr pg_get_indexdef pg_get_constraintdef format_type");
    put(known, Nature.SERVER, null, "obj_description col_description pg_get_viewdef to_regclass");
    put(known, Nature.SERVER, null, "pg_table_is_visible has_table_privilege has_schema_privilege");
    put(known, Nature.SERVER, null, "pg_get_userbyid version");
    put(known, Nature.SERVER, null, "current_setting pg_relation_size pg_total_relation_size");
    put(
        known,
        Nature.PURE,
        null,
        "hashtext hashtextextended pg_get_serial_sequence pg_encoding_to_char");
    put(known, Nature.PURE, null, "_pg_expandarray pg_get_function_result");
    put(known, Nature.PURE, null, "to_tsvector to_tsquery plainto_tsquery phraseto_tsquery");
    put(known, Nature.PURE, null, "websearch_to_tsquery ts_rank ts_rank_cd ts_headline setweight");
    return known;
  }

  private static Map<String, Known> mariaDb() {
    Map<String, Known> known = new HashMap<>();
    put(known, Nature.ONCE, null, "now current_timestamp localtimestamp localtime curdate");
    put(known, Nature.ONCE, null, "current_date curtime current_time utc_timestamp utc_date");
    put(known, Nature.ONCE, null, "utc_time unix_timestamp");
    put(known, Nature.EACH_TIME, null, "sysdate rand uuid uuid_short sys_guid uuid_v4 uuid_v7");
    put(known, Nature.EACH_TIME, null, "random_bytes");
    put(known, Nature.ORDER, null, "sum avg group_concat json_arrayagg json_objectagg std stddev");
    put(known, Nature.ORDER, null, "variance stddev_pop stddev_samp var_pop var_samp row_number");
    put(known, Nature.ORDER, null, "rank dense_rank ntile first_value last_value lag lead median");
    put(known, Nature.ORDER, null, "nth_value percent_rank cume_dist");
    // How well a text matches also depends on all others in the index, and on when it was merged.
    put(known, Nature.ORDER, null, "match against");
    // An account's name has the hosts that the server lets it come from.
    put(known, Nature.SERVER, null, "user session_user current_user current_role");
    put(known, Nature.SEQUENCE, null, "nextval setval lastval");
    put(known, Nature.SESSION, null, "last_insert_id row_count found_rows connection_id sleep");
    put(known, Nature.SESSION, null, "benchmark load_file");
    put(known, Nature.NAMED_LOCK, null, "get_lock release_lock is_free_lock is_used_lock");
    put(known, Nature.NAMED_LOCK, null, "release_all_locks");
    return known;
  }

  private static void put(
      Map<String, Known> known, Nature nature, @Nullable String type, String names) {
    words(names).forEach(name -> known.put(name, new Known(nature, type)));
  }

  private static Set<String> words(String text) {
    return new HashSet<>(Arrays.asList(text.split(" ")));
  }
}
