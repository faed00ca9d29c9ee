package org.terrace.tracing.span;

import java.io.OutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** Generators of JSON that leave the stream below them open. */
final class JsonOutput {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private JsonOutput() {}

  static JsonGenerator to(OutputStream output) {
    return FACTORY.createGenerator(ObjectWriteContext.empty(), output);
  }
}
