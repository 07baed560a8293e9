/** What the store lies on. */
export interface Disk {
  /** Write something. Raises why nothing can be stored. */
  probe(): Promise<void>;
}
