package org.terrace.cli.kubernetes;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;

/** The text of manifests: YAML that readers of YAML 1.1 and 1.2 take for the same. Stateless. */
final class ManifestText {
  /** Words and numbers that a reader of YAML 1.1 takes for something else than a text. */
  private static final Pattern AMBIGUOUS =
      Pattern.compile("(?i)y|yes|n|no|on|off|true|false|null|~|[-+.]?[0-9].*|");

  private static final int WIDTH = 1_000;

  private ManifestText() {}

  static String of(Map<String, Object> tree) {
    DumpSettings settings =
        DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setIndicatorIndent(2)
            .setIndentWithIndicator(true)
            .setWidth(WIDTH)
            .setSplitLines(false)
            .build();
    return new Dump(settings, new Quoting(settings)).dumpToString(tree);
  }

  /** A file for the object of a tree, named in the order of all. */
  static ManifestFile file(int number, Map<String, Object> tree) {
    String kind = String.valueOf(tree.get("kind")).toLowerCase(Locale.ROOT);
    String name =
        tree.get("metadata") instanceof Map<?, ?> metadata
            ? String.valueOf(metadata.get("name"))
            : "";
    return new ManifestFile("%03d-%s-%s.yaml".formatted(number, kind, name), of(tree));
  }

  /** The lines of a comment. */
  static String comment(List<String> lines) {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line.isEmpty() ? "#" : "# " + line).append('\n'));
    return text.toString();
  }

  private static final class Quoting extends StandardRepresenter {
    Quoting(DumpSettings settings) {
      super(settings);
    }

    @Override
    protected Node representScalar(Tag tag, String value, ScalarStyle style) {
      boolean quoted = tag.equals(Tag.STR) && AMBIGUOUS.matcher(value).matches();
      return super.representScalar(tag, value, quoted ? ScalarStyle.DOUBLE_QUOTED : style);
    }
  }
}
