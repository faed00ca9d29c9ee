package org.terrace.dashboard.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * The trials of a mesh, counted, and what the command that ran them came to. The file is read as a
 * stream: its histograms and samples are passed over.
 *
 * @param done the trials that count
 * @param failed those that failed
 * @param toTryAgain those of them that the command tries again: a search may have no need of some
 * @param skipped those that have not been run
 * @param over whether none is left to run: all were, or the search has no need of the others
 * @param failedConditions how many conditions of {@code fail-if} made trials fail
 * @param firstCondition a sentence for the first of them; empty if there is none
 */
record MeshCounts(
    int done,
    int failed,
    int toTryAgain,
    int skipped,
    boolean over,
    int failedConditions,
    String firstCondition) {
  private static final JsonMapper JSON = JsonMapper.shared();

  int all() {
    return done + failed + skipped;
  }

  /**
   * Counts the trials in a file.
   *
   * @throws IOException if it cannot be read, or is no mesh
   */
  static MeshCounts read(Path file) throws IOException {
    try (var input = Files.newInputStream(file);
        JsonParser parser = JSON.createParser(input)) {
      return new Reading(parser).counts();
    } catch (JacksonException e) {
      throw new IOException("it is not JSON throughout", e);
    }
  }

  /** The reading of one file. Confined to one thread. */
  private static final class Reading {
    /** The depth of the file's own fields, of what lies in them, and of the fields of trials. */
    private static final int FILE = 1;

    private static final int FIELD = 2;
    private static final int TRIAL = 3;

    private final JsonParser parser;
    private int done;
    private int failed;
    private int skipped;
    private Optional<Boolean> over = Optional.empty();
    private Optional<Integer> searchFailed = Optional.empty();
    private int failedConditions;
    private String firstCondition = "";

    private Reading(JsonParser parser) {
      this.parser = parser;
    }

    private MeshCounts counts() {
      int depth = 0;
      String field = "";
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (token == JsonToken.PROPERTY_NAME && depth == FILE) {
          field = parser.currentName();
        } else if (token == JsonToken.PROPERTY_NAME && depth == FIELD && field.equals("search")) {
          searched();
        } else if (token == JsonToken.PROPERTY_NAME && depth == TRIAL && field.equals("trials")) {
          trial();
        } else if (depth == FILE && field.equals("roundOver") && token.isScalarValue()) {
          over = Optional.of(token == JsonToken.VALUE_TRUE);
        } else if (depth == FIELD && field.equals("failedConditions") && token.isScalarValue()) {
          firstCondition = failedConditions == 0 ? parser.getString() : firstCondition;
          failedConditions++;
        }
      }
      return new MeshCounts(
          done,
          failed,
          searchFailed.orElse(failed),
          skipped,
          over.orElse(skipped == 0),
          failedConditions,
          firstCondition);
    }

    private void searched() {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("complete")) {
        over = Optional.of(over.orElse(value == JsonToken.VALUE_TRUE));
      } else if (name.equals("failed") && value == JsonToken.VALUE_NUMBER_INT) {
        searchFailed = Optional.of(parser.getIntValue());
      }
      parser.skipChildren();
    }

    private void trial() {
      boolean status = parser.currentName().equals("status");
      parser.nextToken();
      if (status) {
        switch (parser.getString()) {
          case "done" -> done++;
          case "failed" -> failed++;
          default -> skipped++;
        }
      }
      parser.skipChildren();
    }
  }
}
