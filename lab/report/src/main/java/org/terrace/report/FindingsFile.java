package org.terrace.report;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Findings as JSON, format {@value Findings#FORMAT}: names and nesting are those of {@link
 * Findings}, fields that are null are written as null, and a reader passes over fields that it does
 * not know. Stateless and thread-safe.
 */
public final class FindingsFile {
  /** The name of the file in a result directory. */
  public static final String NAME = "findings.json";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .withConfigOverride(
              List.class,
              list -> list.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
          .build();

  private FindingsFile() {}

  /** The findings as JSON text. */
  public static String toJson(Findings findings) {
    return JSON.writeValueAsString(findings) + "\n";
  }

  /** Writes findings to a file, which appears whole or not at all. */
  public static void write(Path file, Findings findings) {
    WholeFile.write(file, toJson(findings));
  }

  /** Reads the findings of a file. */
  public static Findings read(Path file) {
    try {
      Findings findings = JSON.readValue(Files.readString(file), Findings.class);
      if (findings == null || !Findings.FORMAT.equals(findings.format())) {
        throw unreadable(file, "its format is not " + Findings.FORMAT, null);
      }
      return findings;
    } catch (IOException e) {
      throw unreadable(file, "it cannot be read (" + e + ")", e);
    } catch (JacksonException | NullPointerException e) {
      throw unreadable(file, "it is not as " + Findings.FORMAT + " has it: " + e.getMessage(), e);
    }
  }

  private static TerraceException unreadable(Path file, String why, @Nullable Exception cause) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        file + ": " + why + ". Name a directory that terrace run or terrace analyze has written.",
        cause);
  }
}
