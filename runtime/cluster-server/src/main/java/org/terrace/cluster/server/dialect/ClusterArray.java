package org.terrace.cluster.server.dialect;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An array that a client made, of which every replica makes its own. */
public final class ClusterArray implements Array {
  private final String typeName;
  private final Object[] elements;

  /** An array of values of a type that the server knows. */
  public ClusterArray(String typeName, Object[] elements) {
    this.typeName = typeName;
    this.elements = elements.clone();
  }

  /** The value to bind. */
  public BoundParameter.Elements value() {
    return new BoundParameter.Elements(typeName, elements);
  }

  @Override
  public String getBaseTypeName() {
    return typeName;
  }

  @Override
  public int getBaseType() throws SQLException {
    throw Unsupported.method("Array.getBaseType", "the server knows its types.");
  }

  @Override
  public Object getArray() {
    return elements.clone();
  }

  @Override
  public Object getArray(@Nullable Map<String, Class<?>> map) {
    return elements.clone();
  }

  @Override
  public Object getArray(long index, int count) throws SQLException {
    throw Unsupported.method("Array.getArray of a part", "take the whole.");
  }

  @Override
  public Object getArray(long index, int count, @Nullable Map<String, Class<?>> map)
      throws SQLException {
    return getArray(index, count);
  }

  @Override
  public ResultSet getResultSet() throws SQLException {
    throw Unsupported.method("Array.getResultSet", "call getArray.");
  }

  @Override
  public ResultSet getResultSet(@Nullable Map<String, Class<?>> map) throws SQLException {
    return getResultSet();
  }

  @Override
  public ResultSet getResultSet(long index, int count) throws SQLException {
    return getResultSet();
  }

  @Override
  public ResultSet getResultSet(long index, int count, @Nullable Map<String, Class<?>> map)
      throws SQLException {
    return getResultSet();
  }

  @Override
  public void free() {}
}
