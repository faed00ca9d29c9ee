package org.terrace.wire.tcp;

/** A factory that opens a conversation for every connection that carries data. */
@FunctionalInterface
public interface Conversations {
  /** Called when the first data of a connection come, or are found missing. */
  Conversation open(Connection connection);

  /** Called when a connection ends that carried no data, for which none was opened. */
  default void endedWithoutData(Connection connection, Conversation.Ending ending) {}
}
