package org.terrace.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.dashboard.http.PageResponse;
import org.terrace.report.ReportWriter;

/** The style sheets and scripts of the pages; nothing comes from anywhere else. Stateless. */
final class Assets {
  private static final String STYLE = "text/css; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private record Asset(String type, byte[] content) {}

  private static final Map<String, Asset> ALL =
      Map.of(
          "report.css",
          new Asset(STYLE, ReportWriter.styleSheet().getBytes(StandardCharsets.UTF_8)),
          "dashboard.css",
          new Asset(STYLE, resource("dashboard.css")),
          "theme.js",
          new Asset(SCRIPT, resource("theme.js")),
          "dashboard.js",
          new Asset(SCRIPT, resource("dashboard.js")),
          "icon.svg",
          new Asset("image/svg+xml", resource("icon.svg")));

  private Assets() {}

  static Optional<PageResponse> answer(List<String> segments) {
    return segments.size() != 1
        ? Optional.empty()
        : Optional.ofNullable(ALL.get(segments.getFirst()))
            .map(asset -> PageResponse.of(200, asset.type(), asset.content()));
  }

  private static byte[] resource(String name) {
    try (InputStream input = Assets.class.getResourceAsStream(name)) {
      if (input == null) {
        throw new IllegalStateException("no " + name + " beside " + Assets.class);
      }
      return input.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
