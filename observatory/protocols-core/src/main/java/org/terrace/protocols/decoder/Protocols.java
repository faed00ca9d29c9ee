package org.terrace.protocols.decoder;

import java.util.function.Consumer;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.protocols.server.ServerTable;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Connection;
import org.terrace.wire.tcp.Conversation;
import org.terrace.wire.tcp.Conversations;

/** The decoders of one capture, which make requests of its connections. Confined to one thread. */
public final class Protocols implements Conversations {
  final DecoderContext context;
  final ServerTable servers;
  final Consumer<Request> sink;
  final Consumer<ObservedConnection> connections;

  /**
   * Decoders that give their requests to a sink.
   *
   * @param registry the protocols that can be told
   * @param classesMax how many request classes are told apart
   * @param sink receives every request when its end is known
   * @param connections receives every connection when its end is known, those without data too
   */
  public Protocols(
      Counters counters,
      ServerTable servers,
      ProtocolRegistry registry,
      int classesMax,
      Consumer<Request> sink,
      Consumer<ObservedConnection> connections) {
    context = new DecoderContext(counters, registry, classesMax);
    this.servers = servers;
    this.sink = sink;
    this.connections = connections;
  }

  @Override
  public Conversation open(Connection connection) {
    return new ProtocolConversation(this, connection);
  }

  @Override
  public void endedWithoutData(Connection connection, Conversation.Ending ending) {
    new ProtocolConversation(this, connection).endWithoutData(ending);
  }

  void count(int requestClass, Outcome outcome) {
    context.counters.increment(WireCount.REQUESTS);
    if (requestClass == RequestClasses.OTHER_CLASS) {
      context.counters.increment(WireCount.OTHER_CLASS_REQUESTS);
    }
    if (context.classes.mayWait(requestClass)) {
      context.counters.increment(WireCount.WAITING_REQUESTS);
    }
    switch (outcome) {
      case OK, ERROR -> {}
      case ABORTED -> context.counters.increment(WireCount.ABORTED_REQUESTS);
      case UNFINISHED -> context.counters.increment(WireCount.UNFINISHED_REQUESTS);
    }
  }
}
