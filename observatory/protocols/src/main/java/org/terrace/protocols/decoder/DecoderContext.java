package org.terrace.protocols.decoder;

import org.terrace.wire.statistics.Counters;

/** The state that the decoders of one capture share. Confined to one thread. */
final class DecoderContext {
  final Counters counters;
  final RequestClasses classes;
  final UrlTemplates urls;
  final SqlClasses statements;
  final MemoryBudget memory = new MemoryBudget();

  DecoderContext(Counters counters, int classesMax) {
    this.counters = counters;
    classes = new RequestClasses(classesMax);
    urls = new UrlTemplates(classes);
    statements = new SqlClasses(classes);
  }
}
