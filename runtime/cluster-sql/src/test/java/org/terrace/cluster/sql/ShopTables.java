package org.terrace.cluster.sql;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.sql.ColumnShape.DefaultReader;

/** Tables of a shop with every kind of column, and analyzers of statements on them. */
final class ShopTables {
  private ShopTables() {}

  /** An analyzer of an engine that takes some functions for pure. */
  static StatementAnalyzer analyzer(
      Engine engine, Set<String> functions, ExecutorService executor) {
    return new StatementAnalyzer(
        engine, catalog(engine), functions, executor, Duration.ofSeconds(20));
  }

  private static TableCatalog catalog(Engine engine) {
    DefaultReader defaults = StatementAnalyzer.defaults(engine);
    ColumnShape id = numbered("id", "bigint", "item_id_seq", defaults);
    ColumnShape price = column("price", "bigint", "0", defaults);
    ColumnShape at = column("at", "timestamptz", "now()", defaults);
    ColumnShape note = column("note", "text", "'x'::text", defaults);
    String chance = engine == Engine.POSTGRESQL ? "gen_random_uuid()" : "uuid()";
    List<ColumnShape> badge =
        List.of(
            column("id", "bigint", null, defaults),
            column("note", "text", "'x'", defaults),
            column("u", "uuid", chance, defaults),
            numbered("n", "bigint", "plain", defaults));
    ColumnShape key = column("id", "bigint", null, defaults);
    ColumnShape counted =
        numbered("id", "bigint(20)", new TableCounter("counted").text(), defaults);
    return new TableCatalog(
        List.of(
            table("item", List.of(id, price, at, note), false),
            table("other", List.of(price), false),
            table("badge", badge, false),
            table("strict", List.of(id.alwaysNumbered(), price), false),
            table("counted", List.of(counted, price), false),
            table("triggered", List.of(price), true),
            table(
                "shift",
                List.of(
                    key,
                    column("at", "timestamp(6)", null, defaults).datedForNull(),
                    column("tm", "time(6)", null, defaults),
                    note),
                false),
            table(
                "moment",
                List.of(column("at", "timestamp(6)", "current_timestamp(6)", defaults), price),
                false),
            table(
                "sysdated",
                List.of(
                    column("at", "timestamp(6)", null, defaults),
                    column("since", "timestamp(6)", "sysdate(6)", defaults)),
                false),
            related("folder", key, "page"),
            related("page", key, "line"),
            related("line", key, "page"),
            new TableShape(
                "stamped",
                List.of(key, price),
                List.of("id"),
                TableShape.Effects.NONE,
                true,
                List.of(),
                false)),
        engine == Engine.MARIADB ? "shop" : "",
        OwnFunctions.NONE,
        Map.of("loose", new TableCatalog.Unfit("loose is of the engine MEMORY", "alter it")),
        engine == Engine.MARIADB ? Set.of("item", "counted", "Large") : Set.of());
  }

  private static ColumnShape column(
      String name, String type, @Nullable String text, DefaultReader defaults) {
    return ColumnShape.of(name, type, text, Optional.empty(), defaults);
  }

  private static ColumnShape numbered(
      String name, String type, String sequence, DefaultReader defaults) {
    return ColumnShape.of(name, type, null, Optional.of(sequence), defaults);
  }

  private static TableShape related(String name, ColumnShape key, String other) {
    return new TableShape(
        name, List.of(key), List.of("id"), TableShape.Effects.NONE, false, List.of(other), false);
  }

  private static TableShape table(String name, List<ColumnShape> columns, boolean triggers) {
    return new TableShape(
        name,
        columns,
        List.of("id"),
        triggers ? TableShape.Effects.TRIGGERS : TableShape.Effects.NONE,
        false,
        List.of(),
        false);
  }
}
