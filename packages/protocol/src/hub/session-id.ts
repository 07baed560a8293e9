/** What a session can be called: a part of a path, which `.` and `..` are not, of a file's name and of a header. */
export const SESSION_ID = /^(?!\.{1,2}$)[\w.:-]{1,128}$/;
