package org.terrace.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The facts of a trial as JSON, without the tables that lie beside it. Stateless. */
final class FactsFile {
  static final String NAME = "facts.json";
  private static final String FORMAT = "terrace-facts/1";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** The content of the file. */
  private record Content(
      String format,
      String title,
      @Nullable String command,
      @Nullable String specification,
      @Nullable Long seed,
      @Nullable List<TrialFacts.Fact> machine,
      @Nullable List<TrialFacts.Fact> versions,
      @Nullable List<String> notes) {}

  private FactsFile() {}

  static void write(Path file, TrialFacts facts) {
    Content content =
        new Content(
            FORMAT,
            facts.title(),
            facts.command(),
            facts.specification(),
            facts.seed(),
            facts.machine(),
            facts.versions(),
            facts.notes());
    WholeFile.write(file, JSON.writeValueAsString(content) + "\n");
  }

  /** The facts of a file, without servers, samples and events. */
  static TrialFacts read(Path file) {
    try {
      Content content = JSON.readValue(Files.readString(file), Content.class);
      if (content == null || !FORMAT.equals(content.format())) {
        throw unreadable(file, "its format is not " + FORMAT, null);
      }
      return new TrialFacts(
          content.title(),
          content.command(),
          content.specification(),
          content.seed(),
          orEmpty(content.machine()),
          orEmpty(content.versions()),
          orEmpty(content.notes()),
          List.of(),
          List.of(),
          List.of());
    } catch (IOException | JacksonException | NullPointerException e) {
      throw unreadable(file, "it cannot be read (" + e.getMessage() + ")", e);
    }
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }

  private static TerraceException unreadable(Path file, String why, @Nullable Exception cause) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        file + ": " + why + ". Name a directory that terrace run or terrace analyze has written.",
        cause);
  }
}
