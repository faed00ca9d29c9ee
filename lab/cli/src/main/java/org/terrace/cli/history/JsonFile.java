package org.terrace.cli.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.table.AtomicFile;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A file of JSON that tells its format, read whole and written whole or not at all. Stateless. */
final class JsonFile {
  private JsonFile() {}

  /** The content of a file that exists. */
  static JsonNode read(Path file, String format) {
    try {
      JsonNode content = JsonMapper.shared().readTree(file.toFile());
      if (content.path("format").asString("").equals(format)) {
        return content;
      }
      throw wrong(file, "it is of another format", format);
    } catch (JacksonException e) {
      throw wrong(file, "it cannot be read as JSON: " + e.getOriginalMessage(), format);
    }
  }

  static void write(Path file, JsonNode content) {
    String text = JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(content);
    try (AtomicFile whole = new AtomicFile(file)) {
      Files.writeString(whole.temporary(), text + "\n");
      whole.commit();
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          file + ": it cannot be written: " + e + ". Make room, or make the directory writable.",
          e);
    }
  }

  static TerraceException wrong(Path file, String why, String format) {
    return new TerraceException(
        ErrorCode.BAD_INPUT, file + ": " + why + "; expected format " + format);
  }
}
