/**
 * Bytes of registered types: what travels between processes and rests in checkpoints is decoded
 * only into types that the program named, never by Java serialization.
 */
package org.terrace.core.codec;
