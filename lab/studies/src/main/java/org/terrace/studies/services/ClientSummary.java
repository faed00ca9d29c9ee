package org.terrace.studies.services;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The clients' own summary of a run.
 *
 * @param calls measured
 * @param unanswered of those, the ones that came to no reply
 */
public record ClientSummary(int calls, int unanswered) {
  public static ClientSummary read(Path file) {
    try {
      JsonNode summary = JsonMapper.shared().readTree(Files.readString(file));
      int unanswered =
          summary.path("notExecuted").asInt()
              + summary.path("unknown").asInt()
              + summary.path("broken").asInt();
      return new ClientSummary(summary.path("calls").asInt(), unanswered);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED, "the summary " + file + " cannot be read: " + e, e);
    }
  }
}
