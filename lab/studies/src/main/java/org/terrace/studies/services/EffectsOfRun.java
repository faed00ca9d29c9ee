package org.terrace.studies.services;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The updates of a run as its clients were told of them, held against the database. Immutable.
 *
 * @param acknowledged updates that clients were told to be done, those of their warm-up too
 * @param unknown updates of which they do not know whether they were done
 * @param missing acknowledged updates without an effect
 * @param tooMany effects beyond one for each acknowledged update and one for each unknown
 * @param invariantsHold whether the data are whole
 */
public record EffectsOfRun(
    long acknowledged, long unknown, long missing, long tooMany, boolean invariantsHold) {

  /** Reads what the application's check wrote. */
  static EffectsOfRun read(Path file) {
    try {
      JsonNode report = JsonMapper.shared().readTree(Files.readString(file));
      JsonNode effects = report.path("effects");
      return new EffectsOfRun(
          sum(effects, "acknowledged"),
          sum(effects, "unknown"),
          sum(effects, "missing"),
          sum(effects, "tooMany"),
          report.path("invariants").valueStream().allMatch(each -> each.path("holds").asBoolean()));
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED, "the report of the check " + file + " cannot be read: " + e, e);
    }
  }

  private static long sum(JsonNode effects, String count) {
    return effects.valueStream().mapToLong(each -> each.path(count).asLong()).sum();
  }
}
